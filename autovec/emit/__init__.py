"""From the lowered program to text, and from text to a function."""
