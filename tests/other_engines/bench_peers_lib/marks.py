"""Reads and replaces the text that programs write between two marks of a Markdown file."""

import pathlib


def parts(path, marks):
    """(up to the start mark, from the end mark on) of a file; None where it lacks one of them."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    before, start, rest = text.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    return (before + start, end + after) if start and end else None


def put_between(path, marks, text):
    """Puts `text` between the marks (start, end) of a file, which stay; they may be the same. Ends the
    program with a message where the file lacks one."""
    found = parts(path, marks)
    if found is None:
        raise SystemExit(f"{path}: expected the marks {marks[0].strip()} and {marks[1].strip()}")
    pathlib.Path(path).write_text(found[0] + text + found[1], encoding="utf-8")
