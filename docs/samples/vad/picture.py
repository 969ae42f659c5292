"""Draws what a voice detector found: the sound, the probability of speech, and its segments."""

import pathlib

import numpy as np

WIDTH = 900
WAVE_MIDDLE, WAVE_HEIGHT = 90, 75  # the sound: 15 to 165
CURVE_BOTTOM, CURVE_HEIGHT = 290, 100  # the probability: 190 to 290
BOTTOM = 310


def draw(path, samples, probabilities, segments):
    """Writes an SVG file; `probabilities` and `segments` count in chunks."""
    count = len(probabilities)
    scale = WIDTH / count
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {BOTTOM}' "
             "font-family='sans-serif' font-size='11'>",
             "<rect width='100%' height='100%' fill='white'/>"]
    for begin, end in segments:
        parts.append(f"<rect fill='#cceebb' x='{begin * scale:.1f}' y='10' "
                     f"width='{(end - begin) * scale:.1f}' height='{CURVE_BOTTOM - 10}'/>")
    # The shape between the loudest and the lowest sample of each column of the picture.
    columns = np.array_split(samples / np.abs(samples).max(), WIDTH)
    high = [(x, WAVE_MIDDLE - WAVE_HEIGHT * part.max()) for x, part in enumerate(columns)]
    low = [(x, WAVE_MIDDLE - WAVE_HEIGHT * part.min()) for x, part in enumerate(columns)]
    parts.append(f"<polygon fill='#4477aa' points='{points(high + low[::-1])}'/>")
    curve = [((chunk + 0.5) * scale, CURVE_BOTTOM - CURVE_HEIGHT * probability)
             for chunk, probability in enumerate(probabilities)]
    parts.append("<polyline fill='none' stroke='#aa3344' stroke-width='1.3' "
                 f"points='{points(curve)}'/>")
    parts.append("<path stroke='#888' stroke-dasharray='4' "
                 f"d='M0 {CURVE_BOTTOM - CURVE_HEIGHT / 2} H{WIDTH}'/>")
    for second in range(int(count * 0.032) + 1):
        parts.append(f"<text x='{second / 0.032 * scale + 2:.1f}' y='{BOTTOM - 5}'>"
                     f"{second} s</text>")
    pathlib.Path(path).write_text("\n".join([*parts, "</svg>\n"]))


def points(pairs):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)
