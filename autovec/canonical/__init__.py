"""The user's syntax made smaller: each pass turns one construct into simpler ones, tree to tree."""
