"""Links between documents: the file and the heading that a link names are there, and so is each page
or source that a comment, a document or a message names. The index lists all pages.
"""

import re

LINK = re.compile(r"\]\(([^)\s]+)\)")
PAGE = re.compile(r"\bdocs/[\w/]+\.md\b")
# In comments and documents.
SOURCE = re.compile(r"(?<![\w/.-])(?:core|frontend|transformations|plugins|tests|tools)/[\w/]+"
                    r"\.(?:hpp|cpp)\b")
TEXTS = (".c", ".cpp", ".hpp", ".h", ".py", ".pyi", ".sh", ".md", ".txt", ".json")


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(*TEXTS):
        if name.startswith("tests/unit/tools/lint/") or tree.allows("links", name):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            for file in PAGE.findall(line) + SOURCE.findall(text_of(name, line)):
                if not tree.has(file):
                    yield name, number, f"there is no {file}"
            if name.endswith(".md"):
                for target in LINK.findall(line):
                    yield from link_faults(tree, name, number, target)
    yield from index_faults(tree)


def text_of(name, line):
    """The words of a line for readers, as far as they name sources."""
    return line if name.endswith(".md") else line.partition("//")[2]


def index_faults(tree):
    index = "docs/README.md"
    if tree.has(index):
        listed = set(re.findall(r"\]\(([\w.]+)", "\n".join(tree.lines(index))))
        for name in tree.sources(".md"):
            if re.fullmatch(r"docs/\w+\.md", name) and name != index and name[5:] not in listed:
                yield name, 1, f"{index} doesn't list this page"


def link_faults(tree, name, number, target):
    if re.match(r"[a-z]+:", target):  # https:, mailto:
        return
    path, _, anchor = target.partition("#")
    page = (tree.root / name).parent / path if path else tree.root / name
    if not page.exists():
        yield name, number, f"the link '{target}' leads nowhere"
    elif anchor and anchor not in anchors(page.read_text(encoding="utf-8")):
        yield name, number, f"the link '{target}' names no heading"


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"(?ms)^```.*?^```", "", text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower()).replace(" ", "-")
        count = sum(1 for one in found if one == slug or re.fullmatch(re.escape(slug) + r"-\d+", one))
        found.add(f"{slug}-{count}" if count else slug)
    return found
