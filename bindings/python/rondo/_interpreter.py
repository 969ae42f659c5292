"""Refuses interpreters that the extension module can't serve, before they crash."""

import ctypes
import sys


def check_main():
    """Raises ImportError in a sub-interpreter: the module's classes belong to the main one."""
    functions = ctypes.pythonapi.PyInterpreterState_Get, ctypes.pythonapi.PyInterpreterState_Main
    for function in functions:
        function.restype = ctypes.c_void_p
    if functions[0]() != functions[1]():
        raise ImportError("rondo can't be used in sub-interpreters; import it in the main one, "
                          "or use processes")


def check_gil():
    """Raises ImportError where threads run Python code at the same time."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        raise ImportError("rondo needs Python's global lock: run python -X gil=1, or unset "
                          "PYTHON_GIL")
