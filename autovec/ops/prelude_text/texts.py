"""Methods of strings that np.strings lacks, or does otherwise than Python."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np


def texts(method, *args):
    """What a function makes of every element, as text: np.strings has none, or cuts what grows."""
    return np.asarray(np.frompyfunc(method, len(args), 1)(*args), dtype=str)


def put_text(texts, k, values):
    """texts[k] = values, in an array that is wide enough for them."""
    values = np.asarray(values)
    if values.itemsize > texts.itemsize:
        texts = texts.astype(values.dtype)
    texts[k] = values
    return texts


def upper(x):
    """str.upper of every element; np.strings.upper alone cuts what grows, such as a sharp s."""
    x = np.array(x)
    if x.ndim and x.size and x.itemsize:
        codes = x.view(np.uint32)
        if codes.max() < 128:
            codes -= ((codes >= 97) & (codes <= 122)) * np.uint32(32)
            return x
    return texts(str.upper, x)


def lower(x):
    """str.lower of every element; np.strings.lower alone cuts what grows, such as a dotted I."""
    x = np.array(x)
    if x.ndim and x.size and x.itemsize:
        codes = x.view(np.uint32)
        if codes.max() < 128:
            codes += ((codes >= 65) & (codes <= 90)) * np.uint32(32)
            return x
    return texts(str.lower, x)


def pad(function, x, width, *fill):
    """A function of np.strings that pads every element; these want at least one lane."""
    if np.size(x) and np.size(width):
        return function(x, width, *fill)
    return np.broadcast_to(x, np.broadcast_shapes(np.shape(x), np.shape(width))).copy()


def replace(x, old, new, count=-1):
    """str.replace of every element; np.strings.replace wants a lane and a short `old`."""
    whole = np.all(np.not_equal(old, "")) and np.asarray(old).itemsize <= np.asarray(x).itemsize
    if whole and np.ndim(x) and np.size(x):
        return np.strings.replace(x, old, new, count)
    return texts(str.replace, x, old, new, count)


def partition(x, sep):
    """str.partition of every element, as three arrays; np.strings.partition cuts a longer `sep`."""
    if not np.size(x):
        return np.array(x), np.array(x), np.array(x)
    width = max(np.asarray(x).itemsize, np.asarray(sep).itemsize) // 4
    return np.strings.partition(np.asarray(x, dtype=f"U{width}"), sep)


def rpartition(x, sep):
    """str.rpartition of every element; np.strings.rpartition cuts a `sep` longer than the lanes."""
    if not np.size(x):
        return np.array(x), np.array(x), np.array(x)
    width = max(np.asarray(x).itemsize, np.asarray(sep).itemsize) // 4
    return np.strings.rpartition(np.asarray(x, dtype=f"U{width}"), sep)


def char_at(x, k):
    """x[k] of every text; a lane without that character raises."""
    size = np.strings.str_len(x)
    if np.any((k < -size) | (k >= size)):
        raise IndexError("string index out of range")
    k = np.where(k < 0, k + size, k)
    return np.strings.slice(x, k, k + 1)


def parse_int(x):
    """int of every text; the first that is no number raises as int does."""
    try:
        return np.asarray(x).astype(int)
    except (ValueError, OverflowError):
        for text in np.ravel(x).tolist():
            int(text)
        raise OverflowError("result too large for int64") from None


def parse_float(x):
    """float of every text; the first that is no number raises as float does."""
    try:
        return np.asarray(x).astype(float)
    except ValueError:
        for text in np.ravel(x).tolist():
            float(text)
        raise


def is_int(x, base=10):
    """Is the text one that int takes?"""

    def leaf(text, base):
        try:
            int(text, base)
        except ValueError:
            return False
        return True

    return np.asarray(np.frompyfunc(leaf, 2, 1)(x, base), dtype=bool)


def is_float(x):
    """Is the text one that float takes?"""

    def leaf(text):
        try:
            float(text)
        except ValueError:
            return False
        return True

    return np.asarray(np.frompyfunc(leaf, 1, 1)(x), dtype=bool)


def characters(x):
    """chr of every element; NumPy's text cannot end with chr(0)."""
    made = np.frompyfunc(chr, 1, 1)(x)
    if np.any(np.equal(x, 0)):
        raise OverflowError("a null character at the end of NumPy's text")
    return np.asarray(made, dtype=str)


def field(x, sep, k):
    """str.split(sep)[k] of every element; a lane with fewer parts raises."""
    for _ in range(k if k >= 0 else -k - 1):
        before, found, after = partition(x, sep) if k >= 0 else rpartition(x, sep)
        if not np.all(found != ""):
            raise IndexError("list index out of range")
        x = after if k >= 0 else before
    return partition(x, sep)[0] if k >= 0 else rpartition(x, sep)[2]
