"""Loops over elements become array operations: proofs, maps, reductions, searches, nests."""
