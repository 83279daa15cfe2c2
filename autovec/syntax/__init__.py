"""The user's text as a tree, trees built by quoting; the only users of gast's constructors."""
