"""Write a function for one sample, in plain Python; get readable NumPy for the whole batch."""

__version__ = "0.1.0"
