"""Lowering: where, pack, retire, buffers, errors.

Importing the package registers the lowering of every kind of node.
"""

from autovec.lower import branches, computing, errors, loops, results

__all__ = ["branches", "computing", "errors", "loops", "results"]
