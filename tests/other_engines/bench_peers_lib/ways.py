"""Some libraries can be called in several ways; each is measured by its own fastest."""

import time

MOST_SECONDS = 5e-3
SLOW_SECONDS = 20e-3  # a call so long is the same by any way
VERY_SLOW_SECONDS = 0.2  # nor does its being the first one matter


def least_seconds(way, now):
    """Of a few calls, after one that does what is done once."""
    start = now()
    way()
    if now() - start > VERY_SLOW_SECONDS:
        return now() - start
    times, deadline = [], now() + MOST_SECONDS
    while not times or now() < deadline:
        start = now()
        way()
        times.append(now() - start)
    return min(times)


def fastest(ways, now=time.perf_counter):
    """The first one where calls are long."""
    best, least = None, float("inf")
    for way in ways:
        seconds = least_seconds(way, now)
        if seconds < least:
            best, least = way, seconds
        if least > SLOW_SECONDS:
            return best
    return best
