#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Doc of the file."""
from __future__ import annotations
import math, os
from autovec import vectorize, vmap as vm  # the tool
import functools

ROOT_TWO = math.sqrt(2.0)


def cdf(x):  # helper
    # normal cdf
    return 0.5 * (1.0 + math.erf(x / ROOT_TWO))


# about f
@functools.cache
@vectorize(fallback="silent")  # hot
# another
def f(x: float, y: float = 3.0, *, k: int = 2) -> float:  # trailing def
    """Doc of f.

    More.
    """
    # first comment
    a = x * y  # product
    if a > 1:
        # big
        return math.log(a) + cdf(a)  # log
        # end of block
    b = a + k  # sum
    # result
    return b


g = vm(f, in_axes=(0, None))  # mapped


class A:
    k: float

    @vectorize
    def m(self, x):
        if x > self.k:
            return x * self.k
        return -x


def h(x):
    while x > 1:
        x = x / 2  # halve
    return x


hh = vm(h)


if __name__ == "__main__":
    print(f(3.0))
