#!/usr/bin/env python3
"""Prints the f64 coefficients of plugins/cpu/kernels/math/vector_math_constants.hpp (needs mpmath).

Each is a minimax polynomial by Remez exchange in 60 digits, rounded to double at the end.
"""
from mpmath import (atanh, cos, erf, erfc, exp, expm1, log, log1p, lu_solve, matrix, mp, mpf, nstr, pi,
                    sqrt)

mp.dps = 60
TINY = mpf(10) ** -12


def solve(function, weight, points, count):
    """The polynomial whose weighted error alternates on `points`."""
    rows, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
    for i, x in enumerate(points):
        for j in range(count):
            rows[i, j] = x**j
        rows[i, count] = (-1) ** i / weight(x)
        right[i] = function(x)
    return list(lu_solve(rows, right))[:count]


def chebyshev(low, high, count):
    """Points that are dense at the ends; none at an inner 0, where the weight vanishes."""
    points = [(low + high - (high - low) * cos(pi * i / (count - 1))) / 2 for i in range(count)]
    return [x if abs(x) > TINY or low == 0 else high / 25 for x in points]


def extremes(errors):
    """The largest |error| of each run of one sign: [(x, error)]."""
    picks = []
    for x, error in errors:
        if not picks or (picks[-1][1] > 0) != (error > 0):
            picks.append((x, error))
        elif abs(error) > abs(picks[-1][1]):
            picks[-1] = (x, error)
    return picks


def remez(function, weight, low, high, count):
    """c[0..count) of the p that minimises max |weight (function - p)|, and that maximum."""
    points = chebyshev(low, high, count + 1)
    grid = chebyshev(low, high, 60 * count + 2)
    for _ in range(7):
        c = solve(function, weight, points, count)
        errors = [(x, weight(x) * (function(x) - mp.polyval(c[::-1], x))) for x in grid]
        picks = extremes(errors)
        while len(picks) > count + 1:
            picks.pop(0 if abs(picks[0][1]) < abs(picks[-1][1]) else -1)
        points = [x for x, _ in picks]
    return c, max(abs(error) for _, error in errors)


def show(name, c, error):
    print(f"{name}, relative error {nstr(error, 3)}:")
    print("    " + ", ".join(float(a).hex() for a in c))


def main():
    half = log(2) / 2 * mpf("1.0001")
    q = lambda r: (expm1(r) - r) / r**2
    show("kExpF64", *remez(q, lambda r: r * r / exp(r), -half, half, 10))
    c, error = remez(q, lambda r: r * r / abs(expm1(r)), -half, half, 11)
    show("kExpm1F64", c, error)
    show("kTanhF64", [-2 * a * (-2) ** i for i, a in enumerate(c)], error)
    quotient = lambda e: log1p(e) / e if e > TINY else 1 - e / 2
    show("kLog1pF64", *remez(quotient, lambda e: 1 / quotient(e), mpf(0), mpf(1), 22))
    show_log()
    show_erf()


def show_erf():
    """erf(x) = x p(x^2) up to 1, 1 - e^(-x^2) q(x) above; the errors relative to erf."""
    p = lambda z: erf(sqrt(z)) / sqrt(z) if z > TINY**2 else 2 / sqrt(pi)
    q = lambda x: erfc(x) * exp(x * x)
    weight = lambda x: exp(-x * x) / erf(x)
    show("kErfF64", *remez(p, lambda z: 1 / p(z), mpf(0), mpf(1), 12))
    show("kErfcxF64", *remez(q, weight, mpf(1), mpf(6), 22))


def show_log():
    """ln((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2; the error relative to the logarithm."""
    widest = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * mpf("1.0001")
    series = lambda z: atanh(sqrt(z)) / sqrt(z) if z > TINY**2 else 1 + z / 3
    p = lambda z: (2 * series(z) - 2) / z if z > TINY**2 else mpf(2) / 3
    for name, count in (("kLogF32", 4), ("kLogF64", 7)):
        c, error = remez(p, lambda z: mpf(1), mpf(0), widest, count)
        show(name, c, error * widest / 2)


if __name__ == "__main__":
    main()
