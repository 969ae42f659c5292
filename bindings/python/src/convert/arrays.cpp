#include "bindings/python/src/convert/arrays.hpp"

#include <cstring>
#include <memory>

#include "bindings/python/src/convert/dtypes.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/conversion.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

std::string text_of(const py::handle& object) { return py::cast<std::string>(py::str(object)); }

bool is_aligned(const py::array& array) {
    return (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

bool is_row_major(const py::array& array) { return (array.flags() & py::array::c_style) != 0; }

// pybind11 before 2.12 misreads a dtype's size with NumPy 2, so it is never asked for it: strides
// are always given, and sizes are our own.
py::array new_array(const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    Strides strides(shape.size());
    std::size_t stride = size_of(tensor.element_type());
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = static_cast<std::ptrdiff_t>(stride);
        stride *= shape[i] == 0 ? 1 : shape[i];
    }
    return {dtype_of(tensor.element_type()), shape, strides};
}

py::object numpy(const char* name) { return py::module_::import("numpy").attr(name); }

bool is_whole(char kind) { return kind == 'i' || kind == 'u' || kind == 'b'; }

[[noreturn]] void refuse_sharing(const py::array& array) {
    throw ModelError("an array of " + text_of(array.dtype()) +
                     " whose elements are swapped or unaligned can't be shared; copy it");
}

[[noreturn]] void refuse_type(const py::dtype& from, ElementType to, const std::string& where) {
    throw ModelError(where + "got an array of " + text_of(from) + "; expected " +
                     text_of(dtype_of(to)) + ", to which it can't be converted without a loss");
}

[[noreturn]] void refuse_values(const py::dtype& from, ElementType to, const std::string& where) {
    throw ModelError(where + "holds values of " + text_of(from) + " that " + text_of(dtype_of(to)) +
                     " can't hold");
}

// NumPy's kind of a dtype; that of bfloat16, which NumPy calls void, is a float's.
char kind_of(const py::dtype& dtype) {
    const char kind = py::cast<std::string>(dtype.attr("kind"))[0];
    if (kind != 'V') return kind;
    return py::cast<std::string>(dtype.attr("name")) == "bfloat16" ? 'f' : kind;
}

// The array as one whose memory a tensor can be, on the way to `to`. NumPy alone knows floats of
// more than 64 bits, and ml_dtypes what the numbers of a narrow type are.
py::array readable(const py::array& array, ElementType to, const std::string& where) {
    const py::dtype dtype = array.dtype();
    const bool is_float = kind_of(dtype) == 'f';
    const bool is_wide = is_float && py::cast<std::size_t>(array.attr("itemsize")) > 8;
    ElementType type = is_wide ? ElementType::f64 : type_of(dtype);
    if (is_float && is_narrow(type) && type != to) type = ElementType::f64;
    if (can_share(array, type)) return array;
    py::array copy = numpy("ascontiguousarray")(array, dtype_of(type));
    // NumPy turns a scalar into an array of one element there.
    if (array.ndim() == 0) copy = copy.attr("reshape")(py::tuple());
    const auto finite = [](const py::array& of) { return numpy("isfinite")(of); };
    if (is_wide && !py::cast<bool>(numpy("array_equal")(finite(copy), finite(array)))) {
        refuse_values(dtype, to, where);
    }
    return copy;
}

// The array's elements as the type, row-major: the array's own memory if it is so already.
Tensor converted(const py::array& array, ElementType type, const std::string& where) {
    const py::dtype from = array.dtype();
    static_cast<void>(dtype_of(type));  // throws if nothing can be an array of the type
    const char kind = kind_of(from);
    const bool is_number = is_whole(kind) || kind == 'f';
    if (!is_number && !is_dtype_of(from, type)) refuse_type(from, type, where);
    const Tensor source = tensor_sharing(readable(array, type, where)).tensor;
    if (!can_convert(source.element_type(), type)) refuse_type(from, type, where);
    const Conversion result = convert_tensor(source, type);
    if (result.refused) refuse_values(from, type, where);
    return result.tensor;
}

}  // namespace

void load_numpy() {
    py::module_::import("numpy");
    py::detail::npy_api::get();
}

Shape shape_of(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

py::array view_of(const PyTensor& tensor) {
    // Not the tensor itself, from which set_shape() may take the memory.
    auto owner = std::make_unique<Tensor>(tensor.tensor);
    Tensor& memory = *owner;
    const py::capsule base(owner.get(), [](void* kept) { delete static_cast<Tensor*>(kept); });
    owner.release();
    py::array view(dtype_of(memory.element_type()), memory.shape(), memory.strides(),
                   memory.strided_data(), base);
    if (tensor.read_only) {
        py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    }
    return view;
}

py::array copy_of(const Tensor& tensor) {
    py::array array = new_array(tensor);
    const Tensor dense = tensor.contiguous();
    if (dense.size() > 0) std::memcpy(array.mutable_data(), dense.data(), dense.byte_size());
    return array;
}

py::array array_from(py::handle object, const std::string& where) {
    if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
    try {
        return numpy("asarray")(object);
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        throw ModelError(where + "can't be read as an array: " + text_of(error.value()));
    }
}

bool can_share(const py::array& array, ElementType type) {
    if (!is_dtype_of(array.dtype(), type) || !is_aligned(array)) return false;
    const auto element_size = static_cast<py::ssize_t>(size_of(type));
    for (py::ssize_t i = 0; i < array.ndim(); ++i) {
        if (array.strides(i) % element_size != 0) return false;
    }
    return true;
}

PyTensor tensor_sharing(const py::array& array) {
    const ElementType type = type_of(array.dtype());
    if (!can_share(array, type)) refuse_sharing(array);
    const Strides strides(array.strides(), array.strides() + array.ndim());
    return {Tensor(type, shape_of(array), const_cast<void*>(array.data()), strides, share(array)),
            !array.writeable()};
}

PyTensor tensor_sharing_as(const py::array& array, const Shape& shape, ElementType type) {
    const py::dtype dtype = array.dtype();
    if (!py::cast<bool>(dtype.attr("isnative")) || !is_aligned(array)) refuse_sharing(array);
    const auto item_size = py::cast<std::size_t>(array.attr("itemsize"));
    const bool is_of_pointers = py::cast<bool>(dtype.attr("hasobject"));
    if (!is_row_major(array) || is_of_pointers || item_size != size_of(type) ||
        element_count(shape_of(array)) != element_count(shape)) {
        throw ModelError("an array of " + text_of(dtype) + to_string(shape_of(array)) +
                         " can't be read as " + std::string(to_string(type)) + to_string(shape) +
                         "; expected row-major elements of the same size and number");
    }
    return {Tensor(type, shape, const_cast<void*>(array.data()), {}, share(array)),
            !array.writeable()};
}

PyTensor tensor_copying(const py::array& array, ElementType type, const std::string& where) {
    Tensor tensor(type, shape_of(array));
    copy_into({tensor}, array, where);
    return {tensor};
}

void copy_into(const PyTensor& tensor, const py::array& array, const std::string& where) {
    Tensor target = tensor.tensor;
    if (tensor.read_only) throw ModelError(where + "the tensor is read-only");
    if (shape_of(array) != target.shape()) {
        throw ModelError(where + "got an array of shape " + to_string(shape_of(array)) +
                         "; expected " + to_string(target.shape()));
    }
    const ElementType type = target.element_type();
    const bool as_it_is = is_row_major(array) && is_dtype_of(array.dtype(), type);
    if (as_it_is && target.is_contiguous()) {
        // The array may be a view of the tensor itself.
        if (target.size() > 0) std::memmove(target.data(), array.data(), target.byte_size());
    } else {
        converted(array, type, where).copy_to(target);
    }
}

}  // namespace rondo::python
