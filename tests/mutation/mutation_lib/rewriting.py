"""Writes the text of a mutant, and of a file that holds several of them, each with a switch."""

import dataclasses

HEADER = "mutation_switch.hpp"
# What mutants may do although the compiler warns of it.
IGNORED_WARNINGS = ("sign-compare", "parentheses", "type-limits", "array-bounds", "unused-value",
                    "stringop-overflow", "maybe-uninitialized", "return-type", "extra")
CALL = "mutation::mutant(@)"

OTHER_OPERATOR = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
}


@dataclasses.dataclass
class Mutant:
    """A change of the bytes [start, end) of a file; `@` in `code` means its number."""

    file: str
    line: int
    start: int
    end: int
    what: str  # for people: "a < b -> a <= b"
    code: str
    number: int = 0

    def overlaps(self, other):
        return (self.file == other.file and self.start <= other.end and other.start <= self.end)


def one_line(text, limit=70):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 3] + "..."


def other_operator(left, operator, right, in_for):
    """(what, code) of a binary operation with another operator, or None.

    A loop over i < n ends a round early: one more would be undefined behaviour at best."""
    other = OTHER_OPERATOR.get(operator)
    if other is None:
        return None
    changed = f"{left} {other} {right}"
    if in_for and operator == "<":
        changed = f"{left} + 1 < {right}"
    old = f"{left} {operator} {right}"
    return f"{one_line(old)} -> {one_line(changed)}", f"({CALL} ? {changed} : {old})"


def negated(text):
    return f"!({one_line(text)})", f"({CALL} != static_cast<bool>({text}))"


def removed(text):
    return f"removed: {one_line(text)}", f"({CALL} ? void() : static_cast<void>({text}))"


def jump_removed(text):
    return f"removed: {text}", f"if ({CALL}) {{}} else {text}"


def empty_return(text):
    """A closed if-else, which an `else` after it can't join."""
    return (f"{one_line(text)} -> return {{}}", f"if ({CALL}) return {{}}; else {text}")


def early_return():
    return "returns at once", f" if ({CALL}) return;"


def changed_number(text, type_name):
    other = "1" if text == "0" else f"{text} + 1"
    code = f"({CALL} ? {other} : {text})"
    return f"{text} -> {other}", f"static_cast<{type_name}>{code}" if type_name else code


def other_truth(text):
    return f"{text} -> {'false' if text == 'true' else 'true'}", f"({CALL} != {text})"


def with_mutants(source, mutants):
    """The bytes of a file in which each of the mutants can be switched on; lines keep their numbers."""
    pieces = []
    at = 0
    for mutant in sorted(mutants, key=lambda one: one.start):
        pieces += [source[at:mutant.start], mutant.code.replace("@", str(mutant.number)).encode()]
        at = mutant.end
    return b"".join(pieces) + source[at:]


def with_header(source):
    pragmas = "".join(f'#pragma GCC diagnostic ignored "-W{name}"\n' for name in IGNORED_WARNINGS)
    return f'{pragmas}#include "{HEADER}"\n#line 1\n'.encode() + source
