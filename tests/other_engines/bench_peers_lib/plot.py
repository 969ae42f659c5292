"""The picture of a report: batch 1 against H, and how many times faster at every batch."""

from bench_peers_lib import cases, rows as row_module, svg

COLORS = {"rondo": "#c5221f", "onnxruntime": "#1a73e8", "openvino": "#7b1fa2", "torch": "#e37400"}
LIMIT_COLOR = "#5f6368"
BATCH_COLORS = ("#c5221f", "#e37400", "#188038", "#1a73e8", "#7b1fa2", "#5f6368")
WIDTH, HEIGHT = 320, 210  # of a panel
LEFT, TOP, GAP_X, GAP_Y = 60, 112, 62, 78


def grid_rows(rows):
    """One direction, each at its best thread count."""
    return [row for row in row_module.best_threads(rows)
            if row.group == "grid" and row.subject.directions == 1]


def latency_lines(rows, time, batch=1):
    """Microseconds a step."""
    some = [row for row in rows if row.subject.time == time and row.subject.batch == batch]
    lines = []
    for label, color in COLORS.items():
        points = [(row.subject.hidden, row.median(label) / time) for row in some
                  if label in row.times]
        lines.append(svg.Line(label, color, points, strong=label == "rondo"))
    limit = [(row.subject.hidden, row.limit().microseconds / time) for row in some if row.limit()]
    return [*lines, svg.Line("limit", LIMIT_COLOR, limit, dashed=True)]


def ratio_lines(rows, time):
    batches = sorted({row.subject.batch for row in rows})
    lines = []
    for batch, color in zip(batches, BATCH_COLORS):
        points = [(row.subject.hidden, row.ratio()) for row in rows
                  if row.subject.time == time and row.subject.batch == batch and row.ratio()]
        lines.append(svg.Line(f"N={batch}", color, points, strong=batch == 1))
    return lines


def panels(rows, cell):
    some = [row for row in rows if row.subject.cell == cell]
    name = cases.CELL_NAMES[cell]
    return [
        svg.Panel(f"{name}, N=1, T=1: microseconds a call", latency_lines(some, 1), "H"),
        svg.Panel(f"{name}, N=1, T=100: microseconds a step", latency_lines(some, 100), "H"),
        svg.Panel(f"{name}, T=100: ratio to the fastest peer", ratio_lines(some, 100), "H",
                  marks=(1,))]


def draw(rows):
    """SVG text."""
    rows = grid_rows(rows)
    shown = [cell for cell in cases.CELLS if any(row.subject.cell == cell for row in rows)]
    parts = [f'<text class="heading" x="{LEFT}" y="34">Recurrent layers on a CPU, f32, one '
             'direction, each library at its best thread count</text>']
    names = [line for line in latency_lines(rows, 100) + latency_lines(rows, 1) if line.points]
    first = list({line.name: line for line in names}.values())
    parts += svg.legend(first, LEFT, 62)
    batches = [line for line in ratio_lines(rows, 100) if line.points]
    parts += svg.legend(batches, LEFT + 2 * (WIDTH + GAP_X), 62)
    for line, cell in enumerate(shown):
        for column, panel in enumerate(panels(rows, cell)):
            parts += panel.draw(LEFT + column * (WIDTH + GAP_X), TOP + line * (HEIGHT + GAP_Y),
                                WIDTH, HEIGHT)
    width = LEFT + 3 * (WIDTH + GAP_X) - GAP_X + 24
    return svg.drawing(width, TOP + len(shown) * (HEIGHT + GAP_Y) - GAP_Y + 48, parts)
