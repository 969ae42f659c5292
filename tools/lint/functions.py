"""C++ functions stay small: lines, parameters, levels of nesting, and no bool beside another."""

import re

from members import IGNORED, without_templates

MAX_LINES = 60
MAX_PARAMETERS = 6
MAX_LEVELS = 3
SCOPE = re.compile(r"(?:.*\b)?(?:namespace|class|struct|union|enum|extern)\b[^()]*$", re.DOTALL)
CONTROL = re.compile(r"(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|do\b|try\b|catch\b)")
NAME = re.compile(r"([\w:~]+|operator\s*\S+?)\s*$")
PRODUCT = ("core/", "frontend/", "transformations/", "plugins/", "bindings/", "tools/")


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(".c", ".cpp", ".hpp"):
        if not name.startswith(PRODUCT) or tree.allows("functions", name):
            continue
        for function in find_functions("\n".join(tree.lines(name))):
            for what in function.faults():
                yield name, function.line, f"{function.name} {what}"


class Function:
    """One definition: its head, without comments, and what its body was found to have."""

    def __init__(self, head, line):
        head = re.sub(r"^\s*(?:template\s*<.*?>\s*)+", "", without_templates(head), flags=re.DOTALL)
        before, _, rest = head.partition("(")
        self.name = (NAME.search(before) or [before.strip()[-40:]])[0].strip()
        self.parameters = split_parameters(rest)
        self.line, self.last, self.levels = line, line, 0

    def faults(self):
        """What is too much of it."""
        lines = self.last - self.line + 1
        if lines > MAX_LINES:
            yield f"has {lines} lines; a function has at most {MAX_LINES}"
        if len(self.parameters) > MAX_PARAMETERS:
            yield f"has {len(self.parameters)} parameters; expected at most {MAX_PARAMETERS}"
        if self.levels > MAX_LEVELS:
            yield f"nests {self.levels} levels; expected at most {MAX_LEVELS}"
        flags = [one.startswith(("bool ", "const bool ")) for one in self.parameters]
        if any(a and b for a, b in zip(flags, flags[1:])):
            yield "takes a bool beside another; options structs name them"


def split_parameters(text):
    """The parameters of a text that begins after their parenthesis."""
    depth, parts = 0, [""]
    for letter in text:
        if letter == ")" and depth == 0:
            break
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def find_functions(text):
    """The functions with bodies that are at namespace or class scope."""
    text = IGNORED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    stack, statement, functions, line = [], "", [], 1
    begin = 1  # line of the statement's first letter
    for letter in text:
        line += letter == "\n"
        if not statement.strip():
            begin = line
        if letter == "{":
            inside = any(isinstance(one, Function) for one in stack)
            stack.append(opened(statement, begin, inside))
            if isinstance(stack[-1], str) and stack[-1] == "control":
                owner = [one for one in stack if isinstance(one, Function)][-1]
                owner.levels = max(owner.levels, stack.count("control"))
            # A member's initialiser doesn't end its statement.
            statement = statement + "{" if stack[-1] == "value" else ""
        elif letter == "}":
            top = stack.pop() if stack else "value"
            if isinstance(top, Function):
                top.last = line
                functions.append(top)
            statement = statement + "}" if top == "value" else ""
        elif letter == ";" and (not stack or stack[-1] != "value") and "(" not in open_part(statement):
            statement = ""
        else:
            statement += letter
    return functions


def open_part(statement):
    """The part of a statement within parentheses that are still open, as of for (;;)."""
    depth, start = 0, len(statement)
    for at, letter in enumerate(statement):
        if letter == "(":
            start = at if depth == 0 else start
            depth += 1
        elif letter == ")":
            depth -= 1
    return statement[start:] if depth > 0 else ""


def opened(statement, line, inside):
    """What a brace opens after that statement."""
    bare = re.sub(r"^\s*(?:public|private|protected)\s*:(?!:)", "", statement).strip()
    if inside:
        return "control" if CONTROL.match(bare) else "value"
    plain = without_templates(bare)
    if SCOPE.match(plain) or not plain:
        return "scope"
    before = re.sub(r"\boperator\W+", "", plain.partition("(")[0])
    if "(" not in plain or open_part(plain) or "=" in before:
        return "value"
    # An initialiser list may hold braces: x_{1}, y_(2) {.
    if re.search(r"[:,]\s*[\w:]+\s*$", plain) and re.search(r"\)\s*(?:noexcept\s*)?:", plain):
        return "value"
    return Function(bare, line)
