import numpy as np

blocks = [(15.0, 1.05), (40.0, 1.89), (90.0, 2.75)]
discount = 0.03
standing = 24.0


def bill(use, households, metered):
    """bill for whole arrays: one sample a position.

    Batched: use, households, metered (arrays that broadcast).
    """
    use, households, metered = np.broadcast_arrays(use, households, metered)
    shape, use, households, metered = use.shape, use.ravel(), households.ravel(), metered.ravel()
    out = np.empty(len(use))
    k = np.flatnonzero(~metered)
    out[k] = standing + 61.5 * households[k]
    k = np.flatnonzero(metered)
    if k.size:
        use_k = use[k]
        bad = use_k < 0
        if bad.any():
            lane = bad.argmax()
            raise ValueError(f"the meter runs backwards: {use_k[lane].item()}")
        share = use_k / households[k]
        total = np.zeros(len(k))
        used = 0.0
        for end, price in blocks:
            total = total + price * np.maximum(np.minimum(share, end) - used, 0.0)
            used = end
        total = np.where(share > used, total + 2 * blocks[-1][1] * (share - used), total)
        total = standing + total * households[k]
        out[k] = np.where(total > 500, total * (1 - discount), total)
    return out.reshape(shape)
