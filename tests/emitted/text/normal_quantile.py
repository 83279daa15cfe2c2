import numpy as np

CENTRE = ((2509.0809287301227,
           33430.57558358813,
           67265.7709270087,
           45921.95393154987,
           13731.69376550946,
           1971.5909503065513,
           133.14166789178438,
           3.3871328727963665),
          (5226.495278852854,
           28729.085735721943,
           39307.89580009271,
           21213.794301586597,
           5394.196021424751,
           687.1870074920579,
           42.31333070160091,
           1.0))
SHOULDER = ((0.0007745450142783414,
             0.022723844989269184,
             0.2417807251774506,
             1.2704582524523684,
             3.6478483247632045,
             5.769497221460691,
             4.630337846156546,
             1.4234371107496835),
            (1.0507500716444169e-9,
             0.0005475938084995345,
             0.015198666563616457,
             0.14810397642748008,
             0.6897673349851,
             1.6763848301838038,
             2.053191626637759,
             1.0))
TAIL = ((2.0103343992922881e-7,
         2.7115555687434876e-5,
         0.0012426609473880784,
         0.026532189526576124,
         0.29656057182850487,
         1.7848265399172913,
         5.463784911164114,
         6.657904643501103),
        (2.0442631033899397e-15,
         1.421511758316446e-7,
         1.8463183175100548e-5,
         0.0007868691311456133,
         0.014875361290850615,
         0.1369298809227358,
         0.599832206555888,
         1.0))


def polynomial_batched(coefficients, x):
    """Horner's scheme."""
    total = np.zeros(len(x))
    for c in coefficients:
        total = total * x + c
    return total


def rational_batched(pair, x):
    """A quotient of two polynomials."""
    return polynomial_batched(pair[0], x) / polynomial_batched(pair[1], x)


def normal_quantile(p, mean=0.0, sigma=1.0):
    """The value that a normal variable stays below with probability p.

    Batched: p (arrays that broadcast).
    Shared: mean, sigma.
    """
    shape, p = np.shape(p), np.ravel(p)
    if np.any((p <= 0.0) | (p >= 1.0)):
        raise ValueError("p must lie between 0 and 1")
    out = np.empty(len(p))
    if sigma < 0.0:
        raise ValueError("sigma must not be negative")
    else:
        q = p - 0.5
        low = np.abs(q) <= 0.425
        k = np.flatnonzero(low)
        if k.size:
            q_k = q[k]
            out[k] = mean + sigma * q_k * rational_batched(CENTRE, 0.180625 - q_k * q_k)
        k = np.flatnonzero(~low)
        if k.size:
            r = np.sqrt(-np.log(np.where(q[k] < 0.0, p[k], 1.0 - p[k])))
            x = np.empty(len(k))
            low2 = r <= 5.0
            j2 = np.flatnonzero(low2)
            k2 = k[j2]
            if k2.size:
                x[j2] = rational_batched(SHOULDER, r[j2] - 1.6)
            j2 = np.flatnonzero(~low2)
            k2 = k[j2]
            if k2.size:
                x[j2] = rational_batched(TAIL, r[j2] - 5.0)
            out[k] = mean + sigma * np.where(q[k] < 0.0, -x, x)
        return out.reshape(shape)
