"""Stacking the results of single samples, for text that loops."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, allow-any-generics

import numpy as np


def stack_results(results, shape):
    """One result a sample as arrays of the batch's shape; None beside numbers is nan."""
    first = next((r for r in results if r is not None), None)
    if isinstance(first, dict):
        return {k: stack_results([r[k] for r in results], shape) for k in first}
    if isinstance(first, (tuple, list)):
        columns = [stack_results(list(c), shape) for c in zip(*results, strict=True)]
        return type(first)(*columns) if hasattr(first, "_fields") else type(first)(columns)
    if first is None and results:
        return None
    if any(r is None for r in results) and not isinstance(first, (str, bytes)):
        results = [np.nan if r is None else r for r in results]
    kinds = {type(r) for r in results}
    if str in kinds and len(kinds) > 1:
        stacked = np.empty(len(results), object)
        stacked[:] = results
        return stacked.reshape(shape)
    strong = [r.dtype for r in results if isinstance(r, np.generic)]
    if strong:  # Python numbers are weak beside NumPy's
        weak = [t(1) for t in sorted(kinds & {bool, int, float, complex}, key=str)]
        return np.array(results, np.result_type(*strong, *weak)).reshape(shape)
    stacked = np.array(results)
    return stacked.reshape(shape + stacked.shape[1:])


def rows_of(names, *columns):
    """Rows by name, from the samples of each column: dicts whose items are attributes, too."""

    class Row(dict):
        def __getattr__(self, name):
            if name in self:
                return self[name]
            raise AttributeError(name)

    return [Row(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
