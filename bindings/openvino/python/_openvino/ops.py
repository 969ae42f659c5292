"""The modules rondo.opset1 to rondo.opset16 and rondo.rondo1: a function for each op of the IR.

Which ops there are and what their attributes mean, the library knows; rondo._openvino.op_table has the
order of parameters.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
from typing import TYPE_CHECKING

from rondo._openvino import nodes, op_table, subgraphs
from rondo._openvino.nodes import as_output, as_text, new_name, type_of
from rondo._rondo import ModelError, Node, Output, _known_ops, _make_node

if TYPE_CHECKING:
    from rondo import _Value

LAST_OPSET = 16


@functools.lru_cache(maxsize=None)
def _forms():
    """{type in small letters: [(type, opset, [(attribute, default)])]}, older opsets first."""
    forms = {}
    for kind, opset, attributes in _known_ops():
        forms.setdefault(kind.lower(), []).append((kind, opset, attributes))
    return forms


def _number(opset):
    return int(opset[5:]) if opset.startswith("opset") else 0


def _newest(kind, opset):
    """(type, opset, attributes) of the form that an opset has; None where it has none."""
    found = None
    for form in _forms().get(kind.lower(), ()):
        if form[1] == opset or 0 < _number(form[1]) <= _number(opset):
            found = form
    return found


class _Parameter:
    """One parameter of a function, as rondo._openvino.op_table writes it."""

    def __init__(self, text):
        self.name, marks, self.attribute = re.match(r"(\w+)([~?*]*|{})(=.*)?$", text).groups()
        self.is_dict = marks == "{}"
        self.is_input = self.attribute is None and not self.is_dict
        self.takes_type = "~" in marks
        self.is_optional = "?" in marks
        self.is_list = "*" in marks
        if self.attribute is not None:
            self.attribute = self.attribute[1:] or self.name

    def signature(self):
        default = inspect.Parameter.empty if self.is_input and not self.is_optional else None
        return inspect.Parameter(self.name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                 default=default)


def _bind(function, parameters, args, kwargs):
    """{parameter: value} of a call; a first input that may be left out may be missing altogether."""
    if args and isinstance(args[0], str) and parameters[0].is_optional:
        args = (None, *args)
    return function.__signature__.bind(*args, **kwargs).arguments


def _inputs(kind, parameters, given):
    wanted = [parameter for parameter in parameters if parameter.is_input]
    shared = next(filter(None, (type_of(given.get(parameter.name)) for parameter in wanted
                                if parameter.takes_type)), None)
    inputs, left_out = [], None
    for parameter in wanted:
        value = given.get(parameter.name)
        if value is None and parameter.is_optional:
            left_out = left_out or parameter.name
        elif left_out is not None and inputs:
            raise ModelError(f"{kind}: '{left_out}' can't be left out where '{parameter.name}' "
                             "is given")
        elif parameter.is_list:
            inputs += [as_output(one) for one in value]
        else:
            inputs.append(as_output(value, shared if parameter.takes_type else None))
    return inputs


def _attributes(parameters, given):
    texts = []
    for parameter in parameters:
        value = given.get(parameter.name)
        if value is None or parameter.is_input:
            continue
        if parameter.is_dict:
            texts += [(name, as_text(one)) for name, one in value.items()]
        else:
            texts.append((parameter.attribute, as_text(value)))
    return texts


def _describe(kind, form, parameters):
    """A function's docstring."""
    defaults = dict(form[2])
    inputs = [f"{one.name}{' (optional)' if one.is_optional else ''}" for one in parameters
              if one.is_input]
    attributes = [one.name + (f" ({defaults[one.attribute]})" if defaults.get(one.attribute) else "")
                  for one in parameters if not one.is_input]
    text = f"{kind} of {form[1]}. Inputs: {', '.join(inputs)}."
    return text + (f" Attributes (defaults): {', '.join(attributes)}." if attributes else "")


def _make_function(name, row, form, opset):
    kind = form[0]
    parameters = [_Parameter(text) for text in row.split()]

    def function(*args, **kwargs):
        given = _bind(function, parameters, args, kwargs)
        return _make_node(kind, opset, given.get("name") or new_name(kind),
                          _inputs(kind, parameters, given), _attributes(parameters, given))

    last = inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    signature = [parameter.signature() for parameter in parameters]
    # An input without a default may follow attributes, as OpenVINO has it.
    for index in range(len(signature) - 2, -1, -1):
        if (signature[index].default is None and
                signature[index + 1].default is inspect.Parameter.empty):
            signature[index] = signature[index].replace(default=inspect.Parameter.empty)
    function.__signature__ = inspect.Signature([*signature, last])
    function.__name__ = function.__qualname__ = name
    function.__module__ = f"rondo.{opset}"
    function.__doc__ = _describe(kind, form, parameters)
    return function


class Opset(types.ModuleType):
    """The functions of one opset, made when they are first asked for."""

    def __init__(self, opset):
        super().__init__(f"rondo.{opset}", f"The ops of {opset}, a function each.")
        self._opset = opset
        self._rows = {name: {0: row} for name, row in op_table.RONDO.items()}
        if opset != "rondo1":
            self._rows = op_table.STANDARD

    @staticmethod
    def _type(name):
        return op_table.TYPES.get(name, name.replace("_", ""))

    def _form(self, name):
        return _newest(self._type(name), self._opset)

    def _row(self, name):
        """(opset of the form, row) of a function."""
        rows = self._rows[name]
        number = _number(self._opset)
        row = rows[max((since for since in rows if since <= number), default=min(rows))]
        opset, _, parameters = row.rpartition(": ")
        return opset or self._opset, parameters

    def __dir__(self):
        special = op_table.SPECIAL if self._opset != "rondo1" else ()
        there = [name for name in special if name not in ("if_op", "loop") or self._form(name)]
        return sorted([*there, *(name for name in self._rows if self._form(name))])

    @property
    def __all__(self):
        return dir(self)

    def __getattr__(self, name):
        if name.startswith("__") or name not in dir(self):
            raise AttributeError(self._absent(name))
        if name in op_table.SPECIAL:
            function = getattr(nodes, name, None) or getattr(subgraphs, name)
        else:
            opset, row = self._row(name)
            function = _make_function(name, row, _newest(self._type(name), opset), opset)
        setattr(self, name, function)
        return function

    def _absent(self, name):
        text = f"{self.__name__} has no op '{name}'"
        forms = _forms().get(self._type(name).lower(), ())
        later = [opset for _, opset, _ in forms if opset != self._opset]
        if later:
            return f"{text}; {later[0]} has it"
        import difflib  # slow to load
        near = difflib.get_close_matches(name, dir(self), 1)
        return text + (f"; did you mean '{near[0]}'?" if near else "")

    def __repr__(self):
        return f"<module '{self.__name__}' of {len(dir(self))} ops>"


def _elementwise(name, is_reversed=False):
    def operator(self, other: _Value) -> Node:
        try:
            sides = (other, self) if is_reversed else (self, other)
            return getattr(OPSETS[f"opset{LAST_OPSET}"], name)(*sides)
        except TypeError:
            return NotImplemented
    operator.__doc__ = f"The op {name} of this and another value."
    return operator


def _add_operators():
    for sign, name in {"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide",
                       "pow": "power", "matmul": "matmul"}.items():
        for owner in (Node, Output):
            setattr(owner, f"__{sign}__", _elementwise(name))
            setattr(owner, f"__r{sign}__", _elementwise(name, True))
            setattr(owner, "__array_ufunc__", None)  # else an array on the left takes over


OPSETS = {name: Opset(name)
          for name in [*(f"opset{number}" for number in range(1, LAST_OPSET + 1)), "rondo1"]}
# So that `import rondo.opset15 as ops` finds them.
sys.modules.update({module.__name__: module for module in OPSETS.values()})
_add_operators()
