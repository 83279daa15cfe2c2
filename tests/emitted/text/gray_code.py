import numpy as np


def int_shift_left(x, y):
    """x << y of integers; a negative count or a bit shifted out raises."""
    if np.less(y, 0).any():
        raise ValueError("negative shift count")
    dtype = np.result_type(x, y)
    shifted = np.left_shift(x, y, dtype=int if dtype.kind == "b" else dtype)
    if (np.right_shift(shifted, y) != x).any():
        raise OverflowError("result too large for int64")
    return shifted


def gray_code(n):
    """Bits, in a loop over a fixed range.

    Batched: n (arrays that broadcast).
    """
    shape, n = np.shape(n), np.ravel(n)
    code = np.zeros(len(n), int)
    for i in range(8):
        if i < 0:
            raise ValueError("negative shift count")
        total = i + 1
        if total < 0:
            raise ValueError("negative shift count")
        code = code | int_shift_left(n >> i & 1 ^ n >> total & 1, i)
    return code.reshape(shape)
