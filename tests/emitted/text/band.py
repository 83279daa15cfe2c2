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
    if strong:
        weak = [t(1) for t in sorted(kinds & {bool, int, float, complex}, key=str)]
        return np.array(results, np.result_type(*strong, *weak)).reshape(shape)
    stacked = np.array(results)
    return stacked.reshape(shape + stacked.shape[1:])


def band_sample(x, code):
    """An operation that has no rule: that expression alone loops."""
    y = 2 * x + 1
    return y * len(str(code))


def band(x, code):
    # a lane at a time: a call of str (there is no rule for it), line 240
    lanes = np.broadcast_arrays(x, code)
    results = [band_sample(x, code)
               for x, code in zip(np.ravel(lanes[0]).tolist(), np.ravel(lanes[1]).tolist())]
    return stack_results(results, lanes[0].shape)
