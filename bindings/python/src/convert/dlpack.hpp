// Tensors handed to other libraries and taken from them without a copy, through DLPack.
#pragma once

#include "bindings/python/src/convert/arrays.hpp"

namespace rondo::python {

/// What `__dlpack__()` returns: a capsule that keeps the tensor's memory alive. `versioned` makes
/// it in the form of DLPack 1.0; the older form can't say that memory is read-only: BufferError.
py::capsule to_dlpack(const PyTensor& tensor, bool versioned);

/// A tensor over the memory of any object with `__dlpack__()` on the CPU. Throws UnsupportedError
/// for other devices and for element types that Rondo lacks.
PyTensor from_dlpack(const py::object& object);

}  // namespace rondo::python
