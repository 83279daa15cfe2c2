"""Random well-defined programs, compared with the plain loop.

    python -m tests.fuzz --programs 2000 --seed 0 --jobs 1

    scope.py        names and their types at one place of a program
    grammar.py      the expressions, one template a line
    expressions.py  templates -> typed random expressions
    assignments.py  simple statements, raises, local functions
    retiring.py     loops that lanes leave one by one
    statements.py   branches, loops, try
    program.py      a whole module: constants, helpers, the function, its arguments' kinds
    tables.py       the arrays of a program as the columns of a table, its function as one of rows
    data.py         argument arrays, edge values included
    judge.py        one program against the loop
    minimise.py     a failing program -> a small one, and its script
    coverage.py     which lowerings and rules the emitted texts used
    faults.py       known faults of the compiler, each a replacement
    mutants.py      each of which the fuzzer must find

Program k of seed s is the same on every machine.
"""
