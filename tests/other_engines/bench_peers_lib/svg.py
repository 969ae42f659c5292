"""A chart as SVG text: logarithmic axes, lines with marks, nothing to install."""

import math
from xml.sax.saxutils import escape

STYLE = """
text { font: 11px system-ui, 'DejaVu Sans', sans-serif; fill: #3c4043; }
.title { font-size: 13px; font-weight: 600; fill: #202124; }
.heading { font-size: 17px; font-weight: 600; fill: #202124; }
.grid { stroke: #e8eaed; stroke-width: 1; }
.frame { stroke: #9aa0a6; stroke-width: 1; fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.strong { stroke-width: 3; }
.dashed { stroke-dasharray: 5 4; }
"""


def log_ticks(low, high):
    """Powers of ten inside, with 2 and 5 between them where there would be few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    tens = [10.0 ** power for power in range(first, last + 1)]
    steps = (1,) if math.log10(high / low) > 2.5 else (1, 2, 5)
    ticks = [ten * step for ten in tens for step in steps]
    return [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]


def number(value):
    return f"{value:g}" if value < 10000 else f"{value / 1000:g}k"


class LogScale:
    """Maps [low, high] to [start, end], logarithmically."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)


def padded(values, least_ratio=4.0):
    """Bounds round `values` with some air, at least `least_ratio` apart."""
    low, high = min(values), max(values)
    air = max((least_ratio / (high / low)) ** 0.5, 1.15)
    return low / air, high * air


class Line:
    """`points`: (x, y), all above 0."""

    def __init__(self, name, color, points, dashed=False, strong=False):
        self.name, self.color, self.points = name, color, points
        self.dashed, self.strong = dashed, strong


class Panel:
    """One chart in a box of the drawing; x is the same set of values for all its lines."""

    def __init__(self, title, lines, x_label, marks=()):
        self.title, self.x_label, self.marks = title, x_label, marks
        self.lines = [line for line in lines if line.points]

    def draw(self, left, top, width, height):
        values = [y for line in self.lines for _, y in line.points]
        out = [f'<text class="title" x="{left}" y="{top - 10}">{escape(self.title)}</text>']
        if values:
            xs = sorted({x for line in self.lines for x, _ in line.points})
            low, high = padded([*values, *self.marks])
            x_low, x_high = padded(xs, 1.0) if len(xs) > 1 else (xs[0] / 2, xs[0] * 2)
            x = LogScale(x_low, x_high, left, left + width)
            y = LogScale(low, high, top + height, top)
            out += self.axes(x, y, xs)
            out += [part for line in self.lines for part in self.draw_line(line, x, y)]
        else:
            out.append(f'<text x="{left + 8}" y="{top + 20}">not measured</text>')
        out.append(f'<rect class="frame" x="{left}" y="{top}" width="{width}" '
                   f'height="{height}"/>')
        return out

    def axes(self, x, y, xs):
        for tick in log_ticks(y.low, y.high):
            at = y(tick)
            yield (f'<line class="grid" x1="{x.start:.1f}" x2="{x.end:.1f}" y1="{at:.1f}" '
                   f'y2="{at:.1f}"/>')
            yield (f'<text x="{x.start - 6:.1f}" y="{at + 4:.1f}" text-anchor="end">'
                   f'{number(tick)}</text>')
        for mark in self.marks:
            yield (f'<line class="frame" x1="{x.start:.1f}" x2="{x.end:.1f}" y1="{y(mark):.1f}" '
                   f'y2="{y(mark):.1f}"/>')
        for value in xs:
            yield (f'<text x="{x(value):.1f}" y="{y.start + 16:.1f}" text-anchor="middle">'
                   f'{number(value)}</text>')
        yield (f'<text x="{(x.start + x.end) / 2:.1f}" y="{y.start + 31:.1f}" '
               f'text-anchor="middle">{escape(self.x_label)}</text>')

    def draw_line(self, line, x, y):
        places = [f"{x(px):.1f},{y(py):.1f}" for px, py in sorted(line.points)]
        kind = "line" + " dashed" * line.dashed + " strong" * line.strong
        yield f'<polyline class="{kind}" stroke="{line.color}" points="{" ".join(places)}"/>'
        if not line.dashed:
            for place in places:
                cx, cy = place.split(",")
                yield f'<circle cx="{cx}" cy="{cy}" r="3" fill="{line.color}"/>'


def legend(lines, left, top):
    """Names in a row, each line once."""
    out, at = [], left
    for line in lines:
        kind = "line" + " dashed" * line.dashed + " strong" * line.strong
        out.append(f'<line class="{kind}" stroke="{line.color}" x1="{at}" x2="{at + 24}" '
                   f'y1="{top - 4}" y2="{top - 4}"/>')
        out.append(f'<text x="{at + 30}" y="{top}">{escape(line.name)}</text>')
        at += 48 + 7 * len(line.name)
    return out


def drawing(width, height, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">', f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>", ""])
