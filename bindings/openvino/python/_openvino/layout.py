"""Layouts: what the axes of a tensor mean, in OpenVINO's form."""

from __future__ import annotations

from collections.abc import Sequence

from rondo._rondo import ModelError


class Layout:
    """Names of axes: "NCHW", "NTC", "[N,time,C]"; "?" is an axis without a name.

    Raises ModelError for a text that is no layout. "..." is refused: the rank must be known.
    """

    def __init__(self, layout_str: str = "") -> None:
        text = layout_str.strip()
        inner = text[1:-1].split(",") if text.startswith("[") and text.endswith("]") else list(text)
        self._axes = [axis.strip().upper() for axis in inner if axis.strip()]
        if "..." in text or "" in (axis.strip() for axis in inner):
            raise ModelError(f"layout '{layout_str}': name each axis, as in 'NTC' or '[N,time,C]'")
        named = [axis for axis in self._axes if axis != "?"]
        if len(set(named)) != len(named) or not all(axis.isidentifier() for axis in named):
            raise ModelError(f"layout '{layout_str}': each axis has a name of its own, or '?'")

    @property
    def empty(self) -> bool:
        """Whether no axis is named."""
        return not self._axes

    def has_name(self, dimension_name: str) -> bool:
        """Whether there is an axis of that name."""
        return dimension_name.upper() in self._axes

    def get_index_by_name(self, dimension_name: str) -> int:
        """The axis of that name. Raises ModelError where there is none."""
        if not self.has_name(dimension_name):
            raise ModelError(f"layout {self} has no axis '{dimension_name}'")
        return self._axes.index(dimension_name.upper())

    def to_string(self) -> str:
        """The layout as text: "[N,T,C]"."""
        return "[" + ",".join(self._axes) + "]"

    def __len__(self) -> int:
        return len(self._axes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            other = Layout(other)
        return isinstance(other, Layout) and self._axes == other._axes

    def __hash__(self) -> int:
        return hash(tuple(self._axes))

    def __str__(self):
        return self.to_string()

    def __repr__(self):
        return f"<Layout: {self.to_string()}>"

    def turned(self, order: Sequence[int]) -> Layout:
        """The layout whose axes are these in another order, as Transpose takes it."""
        layout = Layout()
        layout._axes = [self._axes[axis] for axis in order]
        return layout

    def order_to(self, other: Layout) -> list[int]:
        """The axes of this layout in the order of the other one, as Transpose takes them."""
        if sorted(self._axes) != sorted(other._axes) or "?" in self._axes:
            raise ModelError(f"layout {self} can't be turned into {other}: both must name the same "
                             "axes")
        return [self._axes.index(axis) for axis in other._axes]


def layout_from(value):
    """A Layout, or one from its text."""
    return value if isinstance(value, Layout) else Layout(value)
