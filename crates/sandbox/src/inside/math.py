# The module math of extensions: what is whole is worked out here, what is not in Rust.
pi, e, tau, inf, nan = 3.141592653589793, 2.718281828459045, 6.283185307179586, float("inf"), float("nan")


def _whole(x):
    if not isinstance(x, int):
        raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")
    return x


def floor(x, /):
    if isinstance(x, int):
        return int(x)
    whole = int(x)
    return whole - 1 if whole > x else whole


def ceil(x, /):
    if isinstance(x, int):
        return int(x)
    whole = int(x)
    return whole + 1 if whole < x else whole


def trunc(x, /):
    return int(x)


def gcd(*integers):
    found = 0
    for number in integers:
        one, two = found, abs(_whole(number))
        while two:
            one, two = two, one % two
        found = one
    return found


def lcm(*integers):
    found = 1
    for number in integers:
        number = abs(_whole(number))
        if number == 0:
            found = 0
        elif found:
            found = found // gcd(found, number) * number
    return found


def factorial(n, /):
    if _whole(n) < 0:
        raise ValueError("factorial() not defined for negative values")
    found = 1
    for number in range(2, n + 1):
        found *= number
    return found


def perm(n, k=None, /):
    if k is None:
        return factorial(n)
    if _whole(n) < 0:
        raise ValueError("n must be a non-negative integer")
    if _whole(k) < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    found = 1
    for number in range(n - k + 1, n + 1):
        found *= number
    return found


def comb(n, k, /):
    if _whole(n) < 0:
        raise ValueError("n must be a non-negative integer")
    if _whole(k) < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    k = min(k, n - k)
    found = 1
    for number in range(1, k + 1):
        found = found * (n - k + number) // number
    return found


def isqrt(n, /):
    if _whole(n) < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if n == 0:
        return 0
    root = 1 << (n.bit_length() + 1) // 2
    while True:
        better = (root + n // root) // 2
        if better >= root:
            return root
        root = better


def prod(iterable, /, *, start=1):
    for number in iterable:
        start = start * number
    return start


def hypot(*coordinates):
    return _length([float(x) for x in coordinates])


def dist(p, q, /):
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return _length([float(a) - float(b) for a, b in zip(p, q)])


def _length(parts):
    most = max([abs(x) for x in parts], default=0.0)
    if most == 0.0 or most == inf:
        return most
    return most * sqrt(fsum([(x / most) * (x / most) for x in parts]))


def fsum(seq, /):
    # Shewchuk's sums: the parts hold the sum without loss.
    parts = []
    for x in seq:
        x = float(x)
        kept = 0
        for y in parts:
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low:
                parts[kept] = low
                kept += 1
            x = high
        parts[kept:] = [x]
    found = 0.0
    for x in parts:
        found += x
    return found


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if abs(a) == inf or abs(b) == inf:
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


def isnan(x, /):
    return float(x) != float(x)


def isinf(x, /):
    return abs(float(x)) == inf


def isfinite(x, /):
    return abs(float(x)) < inf


def fabs(x, /):
    return abs(float(x))


def degrees(x, /):
    return x * (180.0 / pi)


def radians(x, /):
    return x * (pi / 180.0)


def modf(x, /):
    x = float(x)
    if abs(x) == inf:
        return copysign(0.0, x), x
    if x != x:
        return x, x
    whole = float(int(x))
    return copysign(x - whole, x), copysign(whole, x)


def log(x, base=None, /):
    return _log(x) if base is None else _log(x) / _log(base)


def _log(x):
    # A whole number may be larger than any float.
    if isinstance(x, int) and x > 0 and x.bit_length() > 1000:
        shift = x.bit_length() - 64
        return _ln(x >> shift) + shift * 0.6931471805599453
    return _ln(x)
