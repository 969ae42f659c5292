"""A process of its own for work that may crash."""

import json
import os
import sys
import traceback


def lines_of_child(write, errors=None):
    """What write(add) gives to add(), one JSON value each, in a child: a crash ends it alone.

    errors: the file that gets the child's messages; None drops them.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(errors.fileno() if errors else os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(writer, "w") as stream:
            def add(value):
                stream.write(json.dumps(value) + "\n")
                stream.flush()

            try:
                write(add)
            except BaseException:  # the parent's code must not go on here
                traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        found = [json.loads(line) for line in stream]
    os.waitpid(child, 0)
    return found
