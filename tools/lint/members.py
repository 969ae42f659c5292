"""Classes of the CPU plugin stay small: at most 12 data members, or a line that says why."""

import re

FOLDER = "plugins/cpu/"
MAX_MEMBERS = 12
IGNORED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
ALIGNMENT = re.compile(r"\balignas\([^()]*\)")
HEAD = re.compile(r"\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?(?::[^{;()]*)?\{")
LABEL = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
NESTED = re.compile(r"\s*(?:class|struct|enum|union)\b")
NO_MEMBER = re.compile(r"(?:using|friend|static|typedef|template|enum|class|struct|constexpr)\b")


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(".cpp", ".hpp"):
        if name.startswith(FOLDER) and not tree.allows("members", name):
            yield from class_faults(name, "\n".join(tree.lines(name)))


def class_faults(name, text):
    text = IGNORED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    text = ALIGNMENT.sub("", text)
    for head in HEAD.finditer(text):
        count = sum(map(declarators, members(text, head.end())))
        if count > MAX_MEMBERS:
            line = text.count("\n", 0, head.start()) + 1
            yield name, line, f"{head.group(1)} has {count} members; a class has at most {MAX_MEMBERS}"


def members(text, start):
    """The statements that declare data, of the class whose body starts there."""
    return [one for one in map(str.strip, statements(text, start)) if declares_data(one)]


def statements(text, start):
    """The class's own statements, without access labels; an inner body is `{}`."""
    depth, statement = 1, ""
    for letter in text[start:]:
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return
            if depth == 1:
                # A function's body ends its statement; a member's initialiser doesn't.
                statement = "" if is_function(statement) else statement + "{}"
        elif depth > 1:
            continue
        elif letter == ";":
            yield LABEL.sub("", statement)
            statement = ""
        else:
            statement += letter


def is_function(statement):
    statement = LABEL.sub("", statement)
    return "(" in without_templates(statement) and not NESTED.match(statement)


def without_templates(text):
    """The text without <...>, whose parentheses belong to types."""
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>]*>", "", text)
    return text


def declarators(statement):
    """How many members one statement declares: `T a, b` are two."""
    plain = re.sub(r"\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]", "", without_templates(statement))
    return 1 + plain.count(",")


def declares_data(statement):
    if not statement or NO_MEMBER.match(statement) or re.search(r"\boperator\b", statement):
        return False
    return "(" not in without_templates(re.split(r"[={]", statement)[0])
