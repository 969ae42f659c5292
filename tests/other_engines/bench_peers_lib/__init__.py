"""The parts of bench_peers.py: a case, its limit, what runs it, how it is timed, how it is shown."""
