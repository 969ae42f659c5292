"""Plain English: words that comments, messages and documents may not use; short paragraphs.

lint: allow(words): this file lists them.
"""

import re

# What may not stand there -> what to write.
WORDS = {
    r"who|whom": "'which' or 'that' for things; name the reader or caller",
    r"nobody|somebody": "'no thread', 'no node', 'another node', ...",
    r"anew": "'again'",
    r"but for": "'except'",
    r"seldom": "'rarely'",
    r"shall": "'must' or the present tense",
    r"be it": "'whether', 'even if'",
    r"tell|tells|told": "'says', 'shows', 'describes', 'knows'",
    r"lets? go|letting go": "'releases'",
    r"forgives?|forgiven": "'resets'",
    r"in the hands of|in hand": "'owned by'",
    r"looks? after": "'is thread-safe', 'manages', ...",
    r"worth (its|the|their) while": "'faster', 'pays'",
    r"lest": "'so that ... not'",
    r"thinkable": "'plausible', 'possible'",
    r"of use to": "'used by'",
    r"for want of": "'without'",
}
BANNED = [(re.compile(rf"\b({pattern})\b", re.IGNORECASE), advice)
          for pattern, advice in WORDS.items()]
FRAGMENT = re.compile(r"(//[/!<]*|^\s*#+|[.;:])\s+Of\s")
COMMENT = re.compile(r"//|^\s*#(?!include|define|if|endif|else|pragma)")
TEXTS = (".c", ".cpp", ".hpp", ".h", ".py", ".pyi", ".sh", ".md", ".txt", ".cmake")
MAX_COLUMNS = 140
MAX_PARAGRAPH = 4
LIST_ITEM = re.compile(r"\s*([-*]|\d+\.)\s")


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(*TEXTS):
        if name.startswith("tests/data/"):
            continue
        if not tree.allows("words", name):
            yield from word_faults(name, tree.lines(name))
    for name in tree.sources(".md"):
        if not tree.allows("columns", name):
            yield from column_faults(name, tree.lines(name))
        if not tree.allows("paragraphs", name):
            yield from paragraph_faults(name, tree.lines(name))


def word_faults(name, lines):
    for number, line in enumerate(lines, 1):
        for pattern, advice in BANNED:
            found = pattern.search(line)
            if found:
                yield name, number, f"plain words: '{found.group()}'; write {advice}"
        if not name.endswith(".md") and COMMENT.search(line) and FRAGMENT.search(line):
            yield name, number, "plain words: a comment is a sentence; it doesn't start with 'Of'"


def column_faults(name, lines):
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield name, number, f"{len(line)} columns; a document has at most {MAX_COLUMNS}"


def paragraph_faults(name, lines):
    count, in_code = 0, False
    for number, line in enumerate(lines, 1):
        fence = line.lstrip().startswith("```")
        in_code ^= fence
        if in_code or fence or not line.strip() or line.lstrip().startswith(("|", "#", "<!--")):
            count = 0
            continue
        count = 1 if LIST_ITEM.match(line) else count + 1
        if count == MAX_PARAGRAPH + 1:
            yield name, number, f"a paragraph of a document has at most {MAX_PARAGRAPH} lines"
