"""Writes the package's types for type checkers and editors, rondo/__init__.pyi, from the built module.

Usage: PYTHONPATH=FOLDER python write_stub.py FILE, where FOLDER has the package. Docstrings of pybind11
say the types of the extension module; what they call an object, the tables below name.
"""

import ast
import inspect
import pathlib
import re
import sys
import textwrap
from typing import get_type_hints

HERE = str(pathlib.Path(__file__).resolve().parent)
sys.path = [folder for folder in sys.path if folder != HERE]  # it has the sources of the package
import rondo  # noqa: E402

HEADER = '''"""Made by bindings/python/write_stub.py when the module was built."""

from collections.abc import (AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator,
                             Mapping, Sequence)
from datetime import timedelta
from os import PathLike
from typing import (Any, BinaryIO, Literal, NamedTuple, Optional, SupportsIndex, TypeVar, Union,
                    overload)

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rondo import backend as backend
from rondo import preprocess as preprocess
from rondo import properties as properties
from rondo import trace as trace
from rondo._openvino.ops import Opset as _Opset

__version__: str

_T = TypeVar("_T")
_Path = Union[str, PathLike[str]]
_Extent = Union[int, str, Dimension, tuple[int, int], list[int]]
_Shape = Union[Shape, PartialShape, str, Sequence[_Extent]]
_Type = Union[Type, str, DTypeLike]
_Key = Union[int, str, ConstOutput]
_Config = Union[Mapping[str, Any], tuple[str, Any]]
# An onnx.ModelProto and an open file are models too, known by their methods.
_Model = Union[Model, str, PathLike[str], bytes, bytearray, memoryview, Any]
_Nodes = Union[Node, Output, Sequence[Union[Node, Output]]]
_Pairs = Union[Mapping[Any, Any], Sequence[tuple[Any, Any]]]
_Seconds = Union[float, timedelta]
_Tensors = Union[dict[Any, Tensor], Sequence[Tensor]]
_Value = Union[Node, Output, Tensor, ArrayLike]
_Inputs = Union[Mapping[Any, Any], Sequence[Any], Tensor, ArrayLike, None]
'''

# What arguments are: all of that name that pybind11 calls objects, or those of one function.
# keep-sorted
ARGUMENTS = {
    "add_batch_axis.batch_size": "_Extent",
    "add_done_callback.fn": "Callable[[StreamStep], object]",
    "array": "ArrayLike",
    "AsyncInferQueue.set_callback.callback": "Callable[[InferRequest, Any], object] | None",
    "bin_path": "_Path | None",
    "config": "_Config | None",
    "copy": "bool | None",
    "create_stream_pool.idle_timeout": "_Seconds | None",
    "create_stream_pool.max_delay": "_Seconds",
    "create_stream_pool.overflow": 'Literal["reject", "block", "drop_oldest"]',
    "data.value": "ArrayLike",
    "dim": "Dimension",
    "dl_device": "tuple[int, int] | None",
    "dynamic.rank": "int | Dimension | None",
    "get_tensor.name": "str | ConstOutput",
    "inputs": "_Inputs",
    "key": "_Key",
    "max_version": "tuple[int, int] | None",
    "memo": "dict[Any, Any]",
    "model": "_Model",
    "open.deadline": "_Seconds",
    "output_model": "_Path",
    "OVDict.__getitem__.arg0": "_Key",
    "outputs": "_Tensors",
    "pairs": "_Pairs | None",
    "partial_shapes": "_Shape | Mapping[Any, _Shape]",
    "PartialShape.__setitem__.arg1": "_Extent",
    "plugin": "_Path",
    "properties": "_Config",
    "results": "_Nodes",
    "set_batch.batch_size": "_Extent",
    "set_callback.callback": "Callable[[Any], object] | None",
    "set_input_tensors.inputs": "_Tensors",
    "set_log_callback.callback": "Callable[[str, str], Any] | None",
    "set_state.state": "Mapping[str, Union[Tensor, ArrayLike]]",
    "set_tensor.name": "str | ConstOutput",
    "set_tensor.tensor": "Tensor",
    "set_tensors.inputs": "dict[Any, Tensor]",
    "source": "Tensor | ArrayLike",
    "Stream.results.inputs": "AsyncIterable[_Inputs] | Iterable[_Inputs]",
    "StreamStep.exception.timeout": "_Seconds | None",
    "StreamStep.result.timeout": "_Seconds | None",
    "xml_path": "_Path",
}
# What functions and properties return that pybind11 calls objects; `_T` is the type of the object itself.
# keep-sorted
RESULTS = {
    "__array__": "NDArray[Any]",
    "__await__": "Generator[Any, None, OVDict]",
    "__enter__": "_T",
    "AsyncInferQueue.__iter__": "Iterator[InferRequest]",
    "AsyncInferQueue.userdata": "list[Any]",
    "ConstOutput.get_tensor": "_T",
    "ConstOutput.tensor": "_T",
    "Dimension.__iter__": "Iterator[int]",
    "OVDict.__getitem__": "NDArray[Any]",
    "OVDict.__iter__": "Iterator[ConstOutput]",
    "OVDict.names": "tuple[set[str], ...]",
    "OVDict.to_dict": "dict[ConstOutput, NDArray[Any]]",
    "OVDict.to_tuple": "tuple[NDArray[Any], ...]",
    "PartialShape.__iter__": "Iterator[Dimension]",
    "Shape.__iter__": "Iterator[int]",
    "Stream.results": "AsyncIterator[OVDict]",
    "Stream.state": "dict[str, NDArray[Any]]",
    "StreamStep.exception": "Error | None",
    "StreamStep.result": "OVDict",
}
BASES = {"DiscreteTypeInfo": "NamedTuple", "OVDict": "Mapping[_Key, NDArray[Any]]"}
# Functions whose result depends on an argument.
OVERLOADS = {
    "CompiledModel.export_model": ["(self, model_stream: None = None) -> bytes",
                                   "(self, model_stream: BinaryIO) -> None"],
}
LEFT_OUT = ("__new__", "__repr__", "__str__", "__getattr__", "__module__", "__contains__", "__getstate__",
            "__setstate__", "__index__", "__members__")
MAPPING = ("get", "keys", "values", "items")  # typing.Mapping has them
PLAIN = {"numpy.ndarray": "NDArray[Any]", "datetime.timedelta": "timedelta",
         "dtype": "numpy.dtype[Any]", "numpy.dtype": "numpy.dtype[Any]",
         "List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set",
         "TypeLike": "_Type", "ShapeLike": "_Shape", "NoneType": "None", "CapsuleType": "Any"}
OBJECTS = ("object", "handle", "function", "list", "tuple", "dict", "capsule", "iterator")
INDEX = ("__getitem__", "__setitem__")


def plain(text):
    """A type as pybind11 writes it, in Python's words."""
    text = re.sub(r"\b(rondo\._rondo|rondo|collections\.abc|typing_extensions)\.", "", text)
    return re.sub(r"[\w.]+", lambda name: PLAIN.get(name[0], name[0]), text)


def known(table, path, text):
    """The type of an argument or result, which the table names where pybind11 doesn't."""
    parts = path.split(".")
    keys = [".".join(parts[start:]) for start in range(len(parts))]
    otherwise = "Any" if text in OBJECTS else plain(text)
    return next((table[key] for key in keys
                 if key in table and ("." in key or text in OBJECTS)), otherwise)


def parsed(signature):
    """A definition from "(a: T = x) -> R"; defaults that aren't Python are `...`.

    pybind11 3 has other words for numbers, and marks some arguments as positional.
    """
    signature = re.sub(r"= <[^>]*>", "= ...", signature)
    signature = re.sub(r"typing\.Supports(Int|Float)( \| typing\.SupportsIndex)?",
                       lambda number: number[1].lower(), signature)
    return ast.parse(f"def f{signature.replace(', /)', ')')}: ...").body[0]


def definitions(path, function):
    """(definition, text) of each overload: from the source, or from what pybind11 writes."""
    text = inspect.getdoc(function) or ""
    if path in OVERLOADS:
        return [(parsed(signature), text) for signature in OVERLOADS[path]]
    if inspect.isfunction(function):
        return [(ast.parse(textwrap.dedent(inspect.getsource(function))).body[0], text)]
    found = re.split(r"^(?:\d+\. )?\w*(\(.*\) -> .*)$", text, flags=re.MULTILINE)[1:]
    return [(parsed(signature), own.strip()) for signature, own in zip(found[::2], found[1::2])]


def typed(path, function, is_method):
    """A definition's signature with the types of the tables."""
    arguments, name = function.args.args, path.split(".")[-1]
    for argument in [*arguments, *function.args.kwonlyargs]:
        text = ast.unparse(argument.annotation) if argument.annotation else "object"
        if name in ("__eq__", "__ne__"):
            text = "object"
        elif name in INDEX and argument.arg == "arg0" and text == "int":
            text = "SupportsIndex"
        else:
            text = known(ARGUMENTS, f"{path}.{argument.arg}", text.replace("List[", "Sequence["))
        argument.annotation = ast.Name(text)
    result = known(RESULTS, path, ast.unparse(function.returns)) if function.returns else "None"
    if is_method:
        arguments[0] = ast.arg("self", ast.Name("_T") if result == "_T" else None)
    if any(re.fullmatch(r"arg\d", argument.arg) for argument in arguments):
        function.args.posonlyargs, function.args.args = arguments, []
    return f"({ast.unparse(function.args)}) -> {result}"


def lines_of(name, signature, text, decorators=()):
    """One definition."""
    quoted = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    body = ["    " + line for line in f'"""{quoted}"""'.splitlines()] if text else ["    ..."]
    return [*decorators, f"def {name}{signature}:", *body]


def functions(path, name, function, is_method, decorators=()):
    # With the tables' types, two may be the same.
    overloads = {typed(path, definition, is_method): text
                 for definition, text in definitions(path, function)}
    if len(overloads) > 1:
        decorators = (*decorators, "@overload")
    for signature, text in overloads.items():
        yield from lines_of(name, signature, text, decorators)


def properties(path, name, member):
    (getter, _), = definitions(path, member.fget)
    yield from lines_of(name, typed(path, getter, True), inspect.getdoc(member), ["@property"])
    if member.fset is not None:
        (setter, _), = definitions(path, member.fset)
        value = known(ARGUMENTS, f"{path}.value", ast.unparse(setter.args.args[-1].annotation))
        yield from lines_of(name, f"(self, value: {value}) -> None", "", [f"@{name}.setter"])


def members(path, owner):
    """The lines of a class's members."""
    if hasattr(owner, "_fields"):
        yield from (f"{name}: {kind.__name__}" for name, kind in get_type_hints(owner).items())
        return
    for name, member in vars(owner).items():
        if name in LEFT_OUT or (BASES.get(path, "").startswith("Mapping") and name in MAPPING):
            continue
        inner = f"{path}.{name}"
        if isinstance(member, type):
            yield from class_lines(inner, member)
        elif isinstance(member, property) and not name.startswith("_"):
            yield from properties(inner, name, member)
        elif isinstance(member, staticmethod):
            yield from functions(inner, name, member.__func__, False, ["@staticmethod"])
        elif name == "__hash__" and member is None:
            yield "__hash__: None  # type: ignore[assignment]"
        elif name == "__array_ufunc__":
            yield "__array_ufunc__: None"
        elif callable(member) and (not name.startswith("_") or name.endswith("__")):
            yield from functions(inner, name, member, True)
        elif type(member).__module__ in ("rondo", "rondo._rondo"):
            yield f"{name}: {type(member).__qualname__}"


def class_lines(path, owner):
    bases = BASES.get(path) or ", ".join(base.__name__ for base in owner.__bases__
                                         if base.__name__ not in ("object", "pybind11_object"))
    yield f"class {owner.__name__}{f'({bases})' if bases else ''}:"
    yield from lines_of("", "", inspect.getdoc(owner) or "")[1:]
    yield from ("    " + line if line else "" for line in members(path, owner))


def stub():
    """The text of the file."""
    lines = [f"{name}: _Opset" for name in rondo._OPSETS]
    for name in rondo.__all__:
        thing = getattr(rondo, name)
        lines.append("")
        if isinstance(thing, type):
            lines += class_lines(name, thing)
        else:
            lines += functions(name, name, thing, False)
    return HEADER + "\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(stub(), encoding="utf-8")
