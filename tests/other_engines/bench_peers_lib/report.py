"""The whole report in Markdown: machine, goals, tables."""

import statistics

from bench_peers_lib import cases, goals, limits, rows as row_module, tables

GROUP_TITLES = {
    "lengths": "Rows of uneven length: a batch of 16, lengths uniform in 1..100",
    "directions": "Both directions on two threads, one direction on one",
    "weights": "f16 weights in Rondo, f32 in the peers",
    "stacked": "Two layers",
    "loops": "Loops over other cells",
    "models": "Real models"}


def machine_lines(data):
    setup = data["setup"]
    yield "Versions: " + ", ".join(f"{name} {text}" for name, text in setup["versions"].items())
    if not data["calibrations"]:
        return
    last = data["calibrations"][-1]
    yield f"{last['cpu']}, {last['isa']}, {last['cpus']} CPUs"
    best = limits.best_of([limits.Machine(one) for one in data["calibrations"]])
    for threads, rates in best.rates.items():
        reads = ", ".join(f"{limits.LEVEL_NAMES[level]} {rates[level]:.3g}"
                          for level in limits.LEVELS if level in rates)
        yield f"{threads} thread(s): {rates['fma']:.3g} GFLOP/s; reads in GB/s: {reads}"


def goals_table(rows):
    lines = []
    for one in goals.outcomes(rows):
        value, row = one.worst
        sign = "<=" if one.at_most else ">="
        lines.append((one.text, f"{sign} {one.bound:g}", f"{one.kept} of {len(one.values)}",
                      f"{value:.2f}", goals.describe_row(row)))
    return tables.markdown_table(("goal", "bound", "rows that keep it", "worst", "where"), lines)


def folded(title, table):
    return f"<details><summary>{title}</summary>\n\n{table}\n\n</details>"


def grid_parts(rows):
    grid = [row for row in rows if row.group == "grid"]
    batch_1 = [row for row in row_module.best_threads(grid) if row.subject.batch == 1]
    if batch_1:
        yield "### Batch 1, each at its best thread count\n\n" + tables.markdown_rows(batch_1)
    for cell in cases.CELLS:
        some = [row for row in grid if row.subject.cell == cell]
        if some:
            yield folded(f"{cases.CELL_NAMES[cell]}: every row of the grid",
                         tables.markdown_rows(some))


def means_of_models(rows):
    """Sentences on the geometric means, or an empty text."""
    by_threads, by_model = goals.model_means(rows)
    if not by_model:
        return ""
    means = ", ".join(f"{mean:.2f} on {threads} thread" + "s" * (threads > 1)
                      for threads, mean in sorted(by_threads.items()))
    slow = ", ".join(f"{name} ({mean:.2f})" for name, mean in sorted(by_model.items())
                     if mean < 1) or "none"
    return (f"Geometric mean of the ratios: {means}; of the models' means "
            f"{statistics.geometric_mean(by_model.values()):.2f}. Models whose cases are below 1 in "
            f"the geometric mean: {slow}.\n\n")


def left_out(rows):
    """The libraries that were left out, why, how often and where first: a line for each reason."""
    places = {}
    for row in rows:
        for label, reason in row.refused.items():
            places.setdefault((label, reason), []).append(cases.describe(row.subject))
    return [(label, reason.replace("|", "\\|"), str(len(found)), found[0])
            for (label, reason), found in sorted(places.items())]


def markdown(data, picture=None):
    """Of the content of a results file; `picture`: where its plot lies, seen from the report."""
    rows = row_module.read_rows(data)
    parts = ["  \n".join(machine_lines(data)),
             "Times in microseconds a call; ratio: the fastest peer's median over Rondo's."]
    if goals.outcomes(rows):
        parts.append("### Goals\n\n" + goals_table(rows))
    if picture:
        parts.append(f"![Time and ratio by hidden size]({picture})")
    parts += grid_parts(rows)
    for group, title in GROUP_TITLES.items():
        some = [row for row in rows if row.group == group]
        if some:
            means = means_of_models(some) if group == "models" else ""
            parts.append(f"### {title}\n\n" + means + tables.markdown_rows(some))
    lines = left_out(rows)
    if lines:
        header = ("library", "why", "rows", "first")
        parts.append("### Left out\n\n" + tables.markdown_table(header, lines))
    return "\n\n".join(parts) + "\n"
