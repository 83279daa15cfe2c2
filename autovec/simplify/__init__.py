"""Passes over the region program before it is lowered."""
