"""What the emitted text costs: `python -m tests.benchmark`."""
