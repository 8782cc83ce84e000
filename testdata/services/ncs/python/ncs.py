"""Six numerical functions with branches that only few inputs reach.

Each keeps the decisions that its method is known for, with loops where a library would do, since
the branches are what the service is there for. What a function does not take is `Refused`; what
has no value (a zero divided by zero, say) is a NaN or an error of Python's own arithmetic.
"""

import math

EULER = 0.5772156649
TINY = 1e-30
MOST_STEPS = 100


class Refused(Exception):
    """The function does not take such values, or finds no end with them."""


def triangle(a: int, b: int, c: int) -> int:
    """0 no triangle, 1 scalene, 2 isosceles, 3 equilateral."""
    if a <= 0 or b <= 0 or c <= 0:
        return 0
    if a == b and b == c:
        return 3
    if a >= b and a >= c and a - b >= c:
        return 0
    if b >= a and b >= c and b - a >= c:
        return 0
    if c >= a and c >= b and c - a >= b:
        return 0
    if a == b or b == c or a == c:
        return 2
    return 1


# Bessel functions

BIG = 1e10
SMALL = 1e-10
SERIES_TERMS = 40
HANKEL_TERMS = 16


def bessj(n: int, x: float) -> float:
    """The Bessel function of the first kind of order n."""
    if n <= 2 or n > 1000:
        raise Refused("the order is out of range")
    size = abs(x)
    if size == 0:
        return 0.0
    if size > n:
        result = bessel_upward(n, size)
    else:
        result = bessel_downward(n, size)
    if x < 0 and n % 2 == 1:
        return -result
    return result


def bessel_upward(n: int, x: float) -> float:
    below, current = bessel_j0(x), bessel_j1(x)
    for order in range(1, n):
        below, current = current, 2 * order / x * current - below
    return current


def bessel_downward(n: int, x: float) -> float:
    """Miller's way: begin high up with anything, and put it right by the sum of the even orders."""
    start = (n + round(math.sqrt(40 * n))) // 2 * 2
    above, current = 0.0, 1.0
    total = wanted = 0.0
    for order in range(start - 1, -1, -1):
        above, current = current, 2 * (order + 1) / x * current - above
        if abs(current) > BIG:
            above *= SMALL
            current *= SMALL
            total *= SMALL
            wanted *= SMALL
        if order % 2 == 0:
            total += current
        if order == n:
            wanted = current
    return wanted / (2 * total - current)


def bessel_j0(x: float) -> float:
    if x < 8:
        return bessel_series(0, x)
    return bessel_hankel(0, x)


def bessel_j1(x: float) -> float:
    if x < 8:
        return bessel_series(1, x)
    return bessel_hankel(1, x)


def bessel_series(order: int, x: float) -> float:
    term = (x / 2) ** order
    total = term
    for k in range(1, SERIES_TERMS):
        term *= -(x * x) / (4 * k * (k + order))
        total += term
    return total


def bessel_hankel(order: int, x: float) -> float:
    """The expansion for large arguments; its terms go in turn to the cosine and the sine."""
    parts = [0.0, 0.0]
    term = 1.0
    for k in range(HANKEL_TERMS):
        sign = -1 if k // 2 % 2 else 1
        parts[k % 2] += sign * term
        term *= (4 * order * order - (2 * k + 1) ** 2) / (8 * (k + 1) * x)
    angle = x - (2 * order + 1) * math.pi / 4
    return math.sqrt(2 / (math.pi * x)) * (parts[0] * math.cos(angle) - parts[1] * math.sin(angle))


# The exponential integral


def expint(n: int, x: float) -> float:
    """The exponential integral of order n."""
    if n < 0 or x < 0 or (x == 0 and (n == 0 or n == 1)):
        raise Refused("the integral does not exist")
    if n == 0:
        return math.exp(-x) / x
    if x == 0:
        return 1 / (n - 1)
    if x > 1:
        return expint_fraction(n, x)
    return expint_series(n, x)


def expint_fraction(n: int, x: float) -> float:
    b = x + n
    c = 1 / TINY
    d = 1 / b
    result = d
    for step in range(1, MOST_STEPS + 1):
        a = -step * (n - 1 + step)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        factor = c * d
        result *= factor
        if abs(factor - 1) < 1e-7:
            return result * math.exp(-x)
    raise Refused("the fraction does not converge")


def expint_series(n: int, x: float) -> float:
    if n == 1:
        result = -math.log(x) - EULER
    else:
        result = 1 / (n - 1)
    power = 1.0
    for k in range(1, MOST_STEPS + 1):
        power *= -x / k
        if k == n - 1:
            term = power * (digamma(n) - math.log(x))
        else:
            term = -power / (k - n + 1)
        result += term
        if abs(term) < abs(result) * 1e-7:
            return result
    raise Refused("the series does not converge")


def digamma(n: int) -> float:
    result = -EULER
    for k in range(1, n):
        result += 1 / k
    return result


# The F distribution

ONE_OVER_PI = 0.3183098862


def fisher(m: int, n: int, x: float) -> float:
    """The cumulative distribution function of F with m and n degrees of freedom."""
    if m > 1000 or n > 1000:
        raise Refused("too many degrees of freedom")
    first_m, first_n = least_degrees(m), least_degrees(n)
    w = m * x / n
    z = 1 / (1 + w)
    p, d = fisher_start(first_m, first_n, w, z)
    if first_m == 1:
        for degrees in range(first_n + 2, n + 1, 2):
            d *= z * (1 + 1 / (degrees - 2))
            p += 2 * w * (1 + w) * d / (degrees - 1)
    else:
        power = z ** int((n - 1) / 2)
        p += 2 / first_n * d * w * (power - 1) / (z - 1)
        d *= n * power / first_n
    for degrees in range(first_m + 2, m + 1, 2):
        d *= w * z * (degrees - 2 + n) / (degrees - 2)
        p -= 2 * (1 + w) * d / (degrees - 2 + n)
    if p < 0:
        return 0.0
    if p > 1:
        return 1.0
    return p


def least_degrees(k: int) -> int:
    """1 for odd numbers and 2 for even ones, but 3 for negative odd ones."""
    return 2 - int(math.fmod(k, 2))


def fisher_start(first_m: int, first_n: int, w: float, z: float) -> tuple[float, float]:
    """The probability for the least degrees of freedom, and its derivative by w."""
    if first_m == 1:
        if first_n == 1:
            root = math.sqrt(w)
            return 2 * ONE_OVER_PI * math.atan(root), ONE_OVER_PI * z / root
        p = math.sqrt(w * z)
        return p, p * z / (2 * w)
    if first_n == 1:
        root = math.sqrt(z)
        return 1 - root, z * root / 2
    return w * z, z * z


# The incomplete gamma function

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


def gammq(a: float, x: float) -> float:
    """The upper regularised incomplete gamma function."""
    if x < 0 or a <= 0:
        raise Refused("the function does not exist there")
    if x < a + 1:
        return 1 - gamma_series(a, x)
    return gamma_fraction(a, x)


def gamma_series(a: float, x: float) -> float:
    if x == 0:
        return 0.0
    divisor = a
    term = total = 1 / a
    for _ in range(MOST_STEPS):
        divisor += 1
        term *= x / divisor
        total += term
        if abs(term) < abs(total) * 3e-7:
            return total * gamma_scale(a, x)
    raise Refused("the series does not converge")


def gamma_fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c = 1 / TINY
    d = 1 / b
    result = d
    for step in range(1, MOST_STEPS + 1):
        numerator = -step * (step - a)
        b += 2
        d = numerator * d + b
        if abs(d) < TINY:
            d = TINY
        c = b + numerator / c
        if abs(c) < TINY:
            c = TINY
        d = 1 / d
        factor = c * d
        result *= factor
        if abs(factor - 1) < 3e-7:
            return result * gamma_scale(a, x)
    raise Refused("the fraction does not converge")


def gamma_scale(a: float, x: float) -> float:
    return math.exp(-x + a * math.log(x) - log_gamma(a))


def log_gamma(a: float) -> float:
    """Stirling's series, for which small arguments are too small: they are moved up."""
    product = 1.0
    while a < 10:
        product *= a
        a += 1
    result = (a - 0.5) * math.log(a) - a + math.log(2 * math.pi) / 2
    power = a
    for coefficient in STIRLING:
        result += coefficient / power
        power *= a * a
    return result - math.log(product)


# The remainder


def remainder(a: int, b: int) -> int:
    """The remainder by taking away again and again; -1 where there was nothing to take away."""
    if a > 10_000 or a < -10_000 or b > 10_000 or b < -10_000:
        raise Refused("a number is out of range")
    result = -1
    if a == 0:
        return result
    if b == 0:
        return result
    if a > 0:
        if b > 0:
            while a >= b:
                a -= b
                result = a
        else:
            while a >= -b:
                a += b
                result = a
    elif b > 0:
        while -a >= b:
            a += b
            result = a
    else:
        while a <= b:
            a -= b
            result = -a
    return result
