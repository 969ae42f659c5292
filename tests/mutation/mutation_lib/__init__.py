"""The parts of mutate.py: places to change, their choice, the mutated tree, its tests, the table."""
