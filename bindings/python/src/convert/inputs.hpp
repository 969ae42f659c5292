// Turns what Python code gives an inference into tensors: {name: array}, a list, or one array.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/ports.hpp"

namespace rondo::python {

/// The memory of an input that is copied: made once, filled again while type and shape stay.
using OwnTensors = std::vector<PyTensor>;

/// A tensor for the port. `share` uses an array's memory itself if its dtype is the port's;
/// otherwise the elements are copied, to `own`. Tensors are taken as they are. Throws ModelError
/// for an array whose values the port's type can't hold.
PyTensor input_tensor(py::handle value, const Port& port, bool share, PyTensor& own);

/// The tensors of all that `inputs` gives, with the ports they are for. None gives nothing; a dict
/// is keyed by index, name or port; a list goes by position; anything else is the only input.
std::vector<std::pair<std::size_t, PyTensor>> input_tensors(const py::object& inputs,
                                                            const PortList& ports, bool share,
                                                            OwnTensors& own);

}  // namespace rondo::python
