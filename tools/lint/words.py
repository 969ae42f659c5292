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
# What may not stand in comments and documents; code and messages may have these words.
PLAIN = {
    r"behind": "'after', 'following', 'past'",
    r"(?<!-)(stands?|stood|standing)(?!-)": "'is', 'means', 'belongs to'",
    r"(turn|com)(s|ed|ing|e|es)? round|(go|goes|going|gone|went) round":
        "'reverses', 'loop-carried', 'is carried'",
    r"h[au]ngs? on": "'depends on'",
    r"nothing where": "a sentence: 'returns nothing if ...'",
    r"nothing is left": "what is then so: 'all of it is read'",
    r"spel(ls|led|ling|lings|t)": "'form', 'writes'",
}
BANNED, METAPHORS = ([(re.compile(rf"\b({pattern})\b", re.IGNORECASE), advice)
                      for pattern, advice in table.items()] for table in (WORDS, PLAIN))
FRAGMENT = re.compile(r"(//[/!<]*|^\s*#+|[.;:])\s+Of\s")
COMMENT = re.compile(r"//|^\s*#(?!include|define|if|endif|else|pragma)")
TEXTS = (".c", ".cpp", ".hpp", ".h", ".py", ".pyi", ".sh", ".md", ".txt", ".cmake")
MAX_COLUMNS = 140
MAX_PARAGRAPH = 4
GENERATED = re.compile(r"<!-- [\w ]+: (begin|end) -->")
LIST_ITEM = re.compile(r"\s*([-*]|\d+\.)\s")


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(*TEXTS):
        if name.startswith("tests/data/"):
            continue
        if not tree.allows("words", name):
            yield from word_faults(name, tree.lines(name))
        if not tree.allows("words", name) and not tree.allows("plain", name):
            yield from metaphor_faults(name, tree.lines(name))
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


def metaphor_faults(name, lines):
    prose = document_prose if name.endswith(".md") else comment_prose
    for number, text in prose(name, lines):
        for pattern, advice in METAPHORS:
            found = pattern.search(text)
            if found:
                yield name, number, f"plain words: '{found.group()}'; write {advice}"


def document_prose(_, lines):
    """(number, text) of each line that isn't code or generated from code, without code in it."""
    is_code = is_generated = False
    for number, line in enumerate(lines, 1):
        is_code ^= line.lstrip().startswith("```")
        is_generated = GENERATED.match(line)[1] == "begin" if GENERATED.match(line) else is_generated
        if not is_code and not is_generated:
            yield number, without_code(line)


def without_code(text):
    return re.sub(r"`[^`]*`", "", text)


def comment_prose(name, lines):
    """(number, text) of each comment, and of each line of Python's docstrings."""
    if name.endswith((".c", ".cpp", ".hpp", ".h")):
        sign, begin, end = "//", "/*", "*/"
    else:
        sign, begin, end = "#", '"""', '"""'
    inside = False
    for number, line in enumerate(lines, 1):
        before, _, text = line.partition(sign)
        if inside or begin in before:
            text = line if inside else line.partition(begin)[2]
            inside = end not in text
            text = text.partition(end)[0]
        yield number, without_code(text)


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
