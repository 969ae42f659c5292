"""Ops with bodies: if_op, loop and tensor_iterator, under OpenVINO's names."""

from rondo._openvino.nodes import as_output, new_name
from rondo._rondo import Model, ModelError, Node, Output, _make_body_node


def _is_same(node, other):
    return isinstance(node, Node) and node == other


class _Body:
    """A body, and how its ports belong to those of the op."""

    def __init__(self, kind, model):
        if not isinstance(model, Model):
            raise TypeError(f"{kind}: expected a Model as the body, got {model!r}")
        self.kind = kind
        self.model = model
        self.inputs = []  # [input, parameter, range, back edge]
        self.outputs = []  # (output, result, range)

    def parameter(self, node):
        """The place of a Parameter among those of the body."""
        for index, one in enumerate(self.model.get_parameters()):
            if _is_same(node, one) or (isinstance(node, Output) and node == one.output(0)):
                return index
        raise ModelError(f"{self.kind}: {node!r} is not a Parameter of the body "
                         f"'{self.model.friendly_name}'")

    def result(self, value):
        """The place of a Result: given itself, or as what it reads."""
        for index, one in enumerate(self.model.get_results()):
            source = one.input_value(0)
            is_source = isinstance(value, Node) and source.node == value
            if _is_same(value, one) or value in (one.output(0), source) or is_source:
                return index
        raise ModelError(f"{self.kind}: {value!r} is not a result of the body "
                         f"'{self.model.friendly_name}'")

    def tuple(self):
        return (self.model, [tuple(one) for one in self.inputs], self.outputs)


class SubgraphOp:
    """An op that runs bodies. It becomes a node when its outputs are asked for."""

    _kind = ""

    def __init__(self, inputs, name):
        self._name = name or new_name(self._kind)
        self._inputs = [as_output(one) for one in inputs]
        self._special = (None, None)
        self._node = None

    def _bodies(self):
        raise NotImplementedError

    def _add_input(self, value):
        self._inputs.append(as_output(value))
        return len(self._inputs) - 1

    def _add_output(self, places):
        """places: a body each with the number of its result and the range of what is joined."""
        number = len(places[0][0].outputs)
        for body, result, parts in places:
            body.outputs.append((number, result, parts))
        try:
            self.as_node()
        except Exception:
            for body, _, _ in places:
                body.outputs.pop()
            raise
        return self._node.output(number)

    def as_node(self):
        """The node. Raises ModelError where it lacks something."""
        self._node = _make_body_node(self._node, self._kind, self._name, self._inputs,
                                     [body.tuple() for body in self._bodies()], self._special)
        return self._node

    def output(self, index):
        """One output, of those that were asked for before."""
        return self.as_node().output(index)

    def outputs(self):
        """All outputs that were asked for before."""
        return self.as_node().outputs()

    def get_type_name(self):
        """The op: Loop, TensorIterator or If."""
        return self._kind

    def __getattr__(self, name):
        """What else a Node has, as_node() gives."""
        if name.startswith("_") or not hasattr(Node, name):
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'")
        return getattr(self.as_node(), name)

    def __repr__(self):
        return f"<{self._kind} '{self._name}'>"

    def get_friendly_name(self):
        """The node's name."""
        return self._name

    def set_friendly_name(self, friendly_name):
        """Renames the node."""
        self._name = friendly_name
        if self._node is not None:
            self._node.set_friendly_name(friendly_name)

    friendly_name = property(get_friendly_name, set_friendly_name, doc="The node's name.")


class _Iterated(SubgraphOp):
    """What Loop and TensorIterator have in common."""

    def __init__(self, inputs, name):
        super().__init__(inputs, name)
        self._body = None

    def _bodies(self):
        return [self._known_body()]

    def _known_body(self):
        if self._body is None:
            raise ModelError(f"{self._kind} '{self._name}' has no body")
        return self._body

    def set_function(self, body):
        """The body, a Model."""
        self._body = _Body(self._kind, body)

    set_body = set_function

    def get_function(self):
        """The body."""
        return self._known_body().model

    get_body = get_function

    def set_sliced_input(self, parameter, value, start, stride, part_size, end, axis):
        """Each iteration gets a part of a value along an axis."""
        body = self._known_body()
        body.inputs.append([self._add_input(value), body.parameter(parameter),
                            (axis, start, stride, part_size, end), None])

    def set_merged_input(self, body_parameter, initial_value, successive_value):
        """The first iteration gets an initial value, each other one what the one before computed."""
        body = self._known_body()
        place, back = body.parameter(body_parameter), body.result(successive_value)
        body.inputs.append([self._add_input(initial_value), place, None, back])

    def set_invariant_input(self, body_parameter, value):
        """Each iteration gets the whole value."""
        body = self._known_body()
        place = body.parameter(body_parameter)
        body.inputs.append([self._add_input(value), place, None, None])

    def get_iter_value(self, body_value, iteration=-1):
        """An output of the op: what a result was in the last iteration."""
        if iteration != -1:
            raise ModelError(f"{self._kind}: got iteration {iteration}; expected -1, the last one")
        body = self._known_body()
        return self._add_output([(body, body.result(body_value), None)])

    def get_concatenated_slices(self, value, start, stride, part_size, end, axis):
        """An output of the op: a result's values of all iterations, joined along an axis."""
        body = self._known_body()
        return self._add_output([(body, body.result(value), (axis, start, stride, part_size, end))])


class LoopOp(_Iterated):
    """Loop: runs its body while a condition holds, at most trip_count times."""

    _kind = "Loop"

    def set_special_body_ports(self, ports):
        """(parameter that counts iterations, result that says whether to go on); -1: none."""
        self._special = tuple(port if port >= 0 else None for port in ports)


class TensorIteratorOp(_Iterated):
    """TensorIterator: runs its body for each part of its sliced inputs."""

    _kind = "TensorIterator"


class IfOp(SubgraphOp):
    """If: runs one of two bodies."""

    _kind = "If"

    def __init__(self, condition, name):
        super().__init__([condition], name)
        self._then = self._else = None

    def _bodies(self):
        if self._then is None or self._else is None:
            raise ModelError(f"If '{self._name}' needs a body for then and one for else")
        return [self._then, self._else]

    def set_then_body(self, body):
        """The Model that runs where the condition is true."""
        self._then = _Body(self._kind, body)

    def set_else_body(self, body):
        """The Model that runs where the condition is false."""
        self._else = _Body(self._kind, body)

    def set_input(self, value, then_parameter, else_parameter):
        """Gives a value to a Parameter of each body; None where a body doesn't need it."""
        bodies = self._bodies()
        places = [None if parameter is None else body.parameter(parameter)
                  for body, parameter in zip(bodies, (then_parameter, else_parameter))]
        number = self._add_input(value)
        for body, place in zip(bodies, places):
            if place is not None:
                body.inputs.append([number, place, None, None])

    def set_output(self, then_result, else_result):
        """An output of the op: a result of each body."""
        return self._add_output([(body, body.result(value), None) for body, value
                                 in zip(self._bodies(), (then_result, else_result))])


def loop(trip_count, execution_condition, name=None):
    """Loop: set_function() and set_..._input() say what it runs; get_iter_value() and
    get_concatenated_slices() are its outputs."""
    return LoopOp([trip_count, execution_condition], name)


def tensor_iterator(name=None):
    """TensorIterator: set_body() and set_..._input() say what it runs; get_iter_value() and
    get_concatenated_slices() are its outputs."""
    return TensorIteratorOp([], name)


def if_op(condition, name=None):
    """If: set_then_body(), set_else_body() and set_input() say what it runs; set_output() gives its
    outputs."""
    return IfOp(condition, name)
