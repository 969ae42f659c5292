"""The parts of bench_peers.py: a case, its limit, who runs it, how it is timed, how it is shown."""
