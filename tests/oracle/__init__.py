"""The oracle: the plain Python loop over samples, with the law's three departures and nothing else.

    scalars.py     samples, NumPy's own scalars, Python numbers
    law.py         one sample's arithmetic: operators, tests, what an enclosing try names
    calls.py       builtins, math and NumPy functions under the law
    rewrite.py     a user's function -> the same with its operators spelled as calls of the law
    samples.py     a batch -> its samples, lane by lane
    results.py     the lanes' results -> stacked leaves and the dtype they must have
    compare.py     wanted against got
    batched.py     one batched call against the loop
    standalone.py  an emitted text, loaded alone
    reference.py   a vectoriser that is right by construction

It shares no code with the package under test.
"""
