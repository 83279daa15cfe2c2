import autovec
from settings import RATE, helper, MODE
from math import *
from mymod import *
import numpy as xp
np = 5
out, lanes, k, n, shape = 1, 2, 3, 4, 5
OPT = None
import os
LIMIT = float(os.environ.get("L", "3"))

@autovec.vectorize
def a(x):
    if MODE is None:
        return x
    return x * 2

@autovec.vectorize
def b(x):
    return x * RATE

@autovec.vectorize
def c(x):
    return sin(x) + mysterious(x)

@autovec.vectorize
def d(x):
    if x > LIMIT:
        return log(x) + out + k
    return cos(x) * np

@autovec.vectorize
def e(x):
    if x > LIMIT:
        return log(x) + out + k
    return cos(x)

def outer(np, scale: float):
    @autovec.vectorize
    def inner(x):
        if x > scale:
            return log(x)
        return x
    return inner
