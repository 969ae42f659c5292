"""Small values that OpenVINO's Python API gives of a node."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from rondo import Node, Output, PartialShape, Shape, Type


class DiscreteTypeInfo(typing.NamedTuple):
    """The name of an op and the first opset that has it in this form."""

    name: str
    version_id: str


class Input:
    """An input of a node."""

    def __init__(self, node: Node, index: int) -> None:
        self._node = node
        self._index = index

    def get_node(self) -> Node:
        """The node that it belongs to."""
        return self._node

    def get_index(self) -> int:
        """Its place among the node's inputs."""
        return self._index

    def get_source_output(self) -> Output:
        """The output that it reads."""
        return self._node.input_value(self._index)

    def get_tensor(self) -> Output:
        """The output that it reads, which has the names, the type and the shape."""
        return self.get_source_output()

    def get_element_type(self) -> Type:
        """The element type."""
        return self.get_source_output().get_element_type()

    def get_partial_shape(self) -> PartialShape:
        """The shape, whose extents may be open."""
        return self.get_source_output().get_partial_shape()

    def get_shape(self) -> Shape:
        """The shape. Raises ModelError where extents are open."""
        return self.get_source_output().get_shape()

    node = property(get_node, doc=get_node.__doc__)
    index = property(get_index, doc=get_index.__doc__)
    tensor = property(get_tensor, doc=get_tensor.__doc__)
    element_type = property(get_element_type, doc=get_element_type.__doc__)
    partial_shape = property(get_partial_shape, doc=get_partial_shape.__doc__)
    shape = property(get_shape, doc=get_shape.__doc__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Input):
            return NotImplemented
        return self._node == other._node and self._index == other._index

    def __hash__(self) -> int:
        return hash((self._node, self._index))

    def __repr__(self):
        return f"<Input {self._index} of {self._node!r}>"
