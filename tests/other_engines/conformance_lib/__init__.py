"""What conformance.py is made of."""
