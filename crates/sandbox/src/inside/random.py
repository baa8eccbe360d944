# The module random of extensions: the generator of Python itself, begun by the game's number instead of by chance.


def seed(a=None, version=2):
    if a is None:
        return _begin_again()
    if isinstance(a, float) and a == int(a):
        a = int(a)
    if not isinstance(a, int):
        raise TypeError("random.seed takes a whole number here")
    a, words = abs(a), []
    while a:
        words.append(a & 0xFFFFFFFF)
        a >>= 32
    _seed(words or [0])


def getrandbits(k, /):
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    found, shift = 0, 0
    while k > 0:
        found |= _bits(min(k, 32)) << shift
        shift, k = shift + 32, k - 32
    return found


def _below(n):
    k = n.bit_length()
    r = getrandbits(k)
    while r >= n:
        r = getrandbits(k)
    return r


def randrange(start, stop=None, step=1):
    if not isinstance(start, int) or not isinstance(step, int) or not (stop is None or isinstance(stop, int)):
        raise TypeError("randrange takes whole numbers")
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("zero step for randrange()")
    width = stop - start
    count = (width + step + (-1 if step > 0 else 1)) // step
    if count <= 0:
        raise ValueError(f"empty range in randrange({start}, {stop}, {step})")
    return start + step * _below(count)


def randint(a, b):
    return randrange(a, b + 1)


def choice(seq):
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(len(seq))]


def shuffle(x):
    for i in reversed(range(1, len(x))):
        j = _below(i + 1)
        x[i], x[j] = x[j], x[i]


def sample(population, k, *, counts=None):
    if not hasattr(population, "__getitem__") or isinstance(population, dict):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    if counts is not None:
        population = [one for one, count in zip(population, counts) for _ in range(count)]
    n = len(population)
    if not 0 <= k <= n:
        raise ValueError("Sample larger than population or is negative")
    found = [None] * k
    room = 21
    if k > 5:
        power = 1
        while power < k * 3:
            power *= 4
        room += power
    if n <= room:
        pool = list(population)
        for i in range(k):
            j = _below(n - i)
            found[i] = pool[j]
            pool[j] = pool[n - i - 1]
    else:
        chosen = set()
        for i in range(k):
            j = _below(n)
            while j in chosen:
                j = _below(n)
            chosen.add(j)
            found[i] = population[j]
    return found


def choices(population, weights=None, *, cum_weights=None, k=1):
    n = len(population)
    if cum_weights is None:
        if weights is None:
            return [population[int(random() * (n + 0.0))] for _ in range(k)]
        cum_weights, total = [], 0
        for weight in weights:
            total += weight
            cum_weights.append(total)
    if len(cum_weights) != n:
        raise ValueError("The number of weights does not match the population")
    total = cum_weights[-1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    found = []
    for _ in range(k):
        at, low, high = random() * total, 0, n - 1
        while low < high:
            middle = (low + high) // 2
            if at < cum_weights[middle]:
                high = middle
            else:
                low = middle + 1
        found.append(population[low])
    return found


def uniform(a, b):
    return a + (b - a) * random()


def triangular(low=0.0, high=1.0, mode=None):
    u = random()
    c = 0.5 if mode is None else (mode - low) / (high - low) if high != low else 0.0
    if high == low:
        return low
    if u > c:
        u, c, low, high = 1.0 - u, 1.0 - c, high, low
    return low + (high - low) * (u * c) ** 0.5
