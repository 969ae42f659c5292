"""Rows as text: columns for people, and the same columns in Markdown."""

from bench_peers_lib import cases, rows as row_module

HEADER = ("what", "thr", "rondo min", "median", *cases.PEERS, "ratio", "limit", "bound", "of limit")
EXTRA_LABELS = (row_module.HALF, row_module.FULL, row_module.ONE_DIRECTION)


def microseconds(value):
    """Three digits that count; None is a dash."""
    if value is None:
        return "-"
    digits = max(0, 2 - len(str(int(value))) + 1) if value >= 1 else 3
    return f"{value:.{digits}f}"


def ratio(value):
    return "-" if value is None else f"{value:.2f}x"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f} %"


def peer_cell(row, peer):
    """A time, or why there is none."""
    if peer in row.times:
        return microseconds(row.median(peer))
    reason = row.refused.get(peer)
    return "-" if reason is None else "differs" if reason.startswith("differs") else "refuses"


def cells(row):
    """One line of the table, times in microseconds."""
    entry, limit = row.times.get("rondo"), row.limit()
    least = microseconds(entry["min_us"]) if entry else peer_cell(row, "rondo")
    return (cases.describe(row.subject), str(row.threads), least, microseconds(row.median()),
            *(peer_cell(row, peer) for peer in cases.PEERS), ratio(row.ratio()),
            microseconds(limit.microseconds if limit else None), limit.bound if limit else "-",
            percent(row.fraction()))


def extra_cells(row, label):
    """A second line for another way in which Rondo ran the case."""
    entry = row.times[label]
    blank = [""] * len(HEADER)
    blank[0] = "  " + label
    blank[1] = "1" if label == row_module.ONE_DIRECTION else str(row.threads)
    blank[2], blank[3] = microseconds(entry["min_us"]), microseconds(entry["median_us"])
    if label == row_module.HALF:
        blank[len(cases.PEERS) + 4] = ratio(row.ratio(label))
    return tuple(blank)


def lines_of(row):
    yield cells(row)
    for label in EXTRA_LABELS:
        if label in row.times:
            yield extra_cells(row, label)


def text_table(rows):
    """Columns as wide as the longest text in them."""
    lines = [HEADER, *(line for row in rows for line in lines_of(row))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    return "\n".join("  ".join(
        text.ljust(width) if column == 0 else text.rjust(width)
        for column, (text, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def markdown_table(header, lines):
    """The first column is text, the others are numbers."""
    marks = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(text.strip() for text in line) + " |"
                     for line in (header, marks, *lines))


def markdown_rows(rows):
    return markdown_table(HEADER, [line for row in rows for line in lines_of(row)])
