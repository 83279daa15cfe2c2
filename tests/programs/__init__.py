"""Tiny programs in the language, one subject a file, and the grid of arguments they run with.

    grid.py      the decorator that collects programs, the edge data, the layouts of arguments
    branches.py  if, elif, else, early returns, ternaries
    truth.py     and, or, not, comparisons, in, is
    names.py     assignment in all its forms, names that come and go
    choices.py   match
    functions.py helpers, closures, lambdas, methods, parameters of every kind
    loops.py     loops and comprehensions over uniform sequences
    errors.py    raise and assert
    attempts.py  try
    results.py   structures of results
    numbers.py   operators and dtypes
    lanes.py     partial operations behind guards
    later.py     what still runs as a loop

The programs are written as users write them, good style or not.
"""
