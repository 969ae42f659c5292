// Tensors and NumPy's arrays: views without a copy, both ways, and conversions that lose nothing.
#pragma once

#include <pybind11/numpy.h>

#include <functional>
#include <string>

#include "rondo/tensor.hpp"

namespace rondo::python {

namespace py = pybind11;

/// A tensor as a Python object: rondo.Tensor.
struct PyTensor {
    Tensor tensor;
    bool read_only = false;  ///< its memory belongs to an array that must not be written to
    /// If it is a request's: gives the request the tensor that set_shape() made of it.
    std::function<void(const PyTensor&)> rebind = {};
};

/// Loads NumPy's C interface; call it once, when the module is imported. Without it the first array
/// would load it inside the initialisation of a static variable of pybind11, which lets other
/// threads run: they would wait for the variable while they hold Python's lock.
void load_numpy();

Shape shape_of(const py::array& array);

/// An array over the tensor's memory, which it keeps alive.
py::array view_of(const PyTensor& tensor);

/// An array with a copy of the tensor's elements.
py::array copy_of(const Tensor& tensor);

/// The object as an array: arrays as they are, others as numpy.asarray() reads them. `where` opens
/// the message of the ModelError for what can't be read.
py::array array_from(py::handle object, const std::string& where);

/// True if the array's memory can be read as a tensor of this type: dtype, alignment, strides.
bool can_share(const py::array& array, ElementType type);

/// A tensor over the array's memory, which keeps the array alive. Throws ModelError if the
/// memory can't be read as a tensor.
PyTensor tensor_sharing(const py::array& array);

/// As above, but the elements are read as `type`, which must be as large: for bf16 in uint16, say.
PyTensor tensor_sharing_as(const py::array& array, const Shape& shape, ElementType type);

/// A tensor with a row-major copy of the array, converted to `type` if that keeps what the
/// values say: any number to a floating type, whole numbers to a type that holds them. Otherwise
/// throws ModelError, opening with `where`.
PyTensor tensor_copying(const py::array& array, ElementType type, const std::string& where);

/// Copies the array into the tensor, converting as above. Shapes must be equal.
void copy_into(const PyTensor& tensor, const py::array& array, const std::string& where);

}  // namespace rondo::python
