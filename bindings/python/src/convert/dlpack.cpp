#include "bindings/python/src/convert/dlpack.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// The structures that arrays are handed over in between libraries, as the DLPack 1.0 specification
// lays them out (https://dmlc.github.io/dlpack).
namespace dlpack {

constexpr std::int32_t kCpu = 1;
constexpr std::uint64_t kReadOnly = 1;  ///< a bit of VersionedTensor::flags

/// DLDataTypeCode.
enum Code : std::uint8_t { kInt = 0, kUnsigned = 1, kFloat = 2, kBfloat = 4, kBool = 6 };

/// DLDevice.
struct Device {
    std::int32_t type;
    std::int32_t id;
};

/// DLDataType.
struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

/// DLTensor. Strides count elements; null means row-major.
struct Array {
    void* data;
    Device device;
    std::int32_t rank;
    DataType type;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};

/// DLManagedTensor: in a capsule named "dltensor".
struct ManagedTensor {
    Array array;
    void* context;
    void (*deleter)(ManagedTensor*);
};

/// DLPackVersion.
struct Version {
    std::uint32_t major;
    std::uint32_t minor;
};

/// DLManagedTensorVersioned: in a capsule named "dltensor_versioned".
struct VersionedTensor {
    Version version;
    void* context;
    void (*deleter)(VersionedTensor*);
    std::uint64_t flags;
    Array array;
};

}  // namespace dlpack

constexpr const char* kName = "dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";

struct TypePair {
    ElementType type;
    dlpack::DataType data_type;
};

constexpr std::array<TypePair, 13> kDlpackTypes = {{
    {ElementType::boolean, {dlpack::kBool, 8, 1}},
    {ElementType::f64, {dlpack::kFloat, 64, 1}},
    {ElementType::f32, {dlpack::kFloat, 32, 1}},
    {ElementType::f16, {dlpack::kFloat, 16, 1}},
    {ElementType::bf16, {dlpack::kBfloat, 16, 1}},
    {ElementType::i64, {dlpack::kInt, 64, 1}},
    {ElementType::i32, {dlpack::kInt, 32, 1}},
    {ElementType::i16, {dlpack::kInt, 16, 1}},
    {ElementType::i8, {dlpack::kInt, 8, 1}},
    {ElementType::u64, {dlpack::kUnsigned, 64, 1}},
    {ElementType::u32, {dlpack::kUnsigned, 32, 1}},
    {ElementType::u16, {dlpack::kUnsigned, 16, 1}},
    {ElementType::u8, {dlpack::kUnsigned, 8, 1}},
}};

dlpack::DataType data_type_of(ElementType type) {
    for (const auto& pair : kDlpackTypes) {
        if (pair.type == type) return pair.data_type;
    }
    throw UnsupportedError("DLPack has no type for " + std::string(to_string(type)));
}

ElementType element_type_of(const dlpack::DataType& wanted) {
    for (const auto& [type, data_type] : kDlpackTypes) {
        if (data_type.code == wanted.code && data_type.bits == wanted.bits && wanted.lanes == 1) {
            return type;
        }
    }
    throw UnsupportedError("from_dlpack: no element type has DLPack's code " +
                           std::to_string(wanted.code) + " with " + std::to_string(wanted.bits) +
                           " bits and " + std::to_string(wanted.lanes) + " lanes");
}

// What an exported tensor lives in until its new owner calls the deleter. It holds C++ objects
// only: the deleter may be called without Python's lock, and a borrowed array frees itself.
template <typename Managed>
struct Export {
    Tensor tensor;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    Managed managed{};
};

template <typename Managed>
void delete_export(Managed* managed) {
    delete static_cast<Export<Managed>*>(managed->context);
}

// A capsule that was not taken still owns its tensor; a taken one has another name.
template <typename Managed>
void delete_capsule(PyObject* capsule, const char* name) {
    if (PyCapsule_IsValid(capsule, name) == 0) return;
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
    if (managed->deleter != nullptr) managed->deleter(managed);
}

template <typename Managed>
std::unique_ptr<Export<Managed>> make_export(const Tensor& tensor) {
    auto made = std::make_unique<Export<Managed>>();
    made->tensor = tensor;
    made->shape.assign(tensor.shape().begin(), tensor.shape().end());
    const auto size = static_cast<std::ptrdiff_t>(size_of(tensor.element_type()));
    for (const auto stride : tensor.strides()) made->strides.push_back(stride / size);
    dlpack::Array& array = made->managed.array;
    array.data = made->tensor.strided_data();
    array.device = {dlpack::kCpu, 0};
    array.rank = static_cast<std::int32_t>(made->shape.size());
    array.type = data_type_of(tensor.element_type());
    array.shape = made->shape.data();
    array.strides = made->strides.data();
    made->managed.context = made.get();
    made->managed.deleter = delete_export<Managed>;
    return made;
}

py::capsule steal_capsule(PyObject* capsule) {
    if (capsule == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

py::capsule to_dlpack(const PyTensor& tensor, bool versioned) {
    if (!versioned) {
        if (tensor.read_only) throw py::buffer_error("this DLPack version has no read-only arrays");
        auto made = make_export<dlpack::ManagedTensor>(tensor.tensor);
        auto capsule = steal_capsule(PyCapsule_New(&made->managed, kName, [](PyObject* object) {
            delete_capsule<dlpack::ManagedTensor>(object, kName);
        }));
        made.release();
        return capsule;
    }
    auto made = make_export<dlpack::VersionedTensor>(tensor.tensor);
    made->managed.version = {1, 0};
    made->managed.flags = tensor.read_only ? dlpack::kReadOnly : 0;
    auto capsule =
        steal_capsule(PyCapsule_New(&made->managed, kVersionedName, [](PyObject* object) {
            delete_capsule<dlpack::VersionedTensor>(object, kVersionedName);
        }));
    made.release();
    return capsule;
}

namespace {

// Owns a tensor that was taken out of a capsule.
template <typename Managed>
std::shared_ptr<const void> take(const py::capsule& capsule, const char* name, const char* used) {
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), used) != 0) {
        throw py::error_already_set();
    }
    return {managed, [](const void* taken) {
                auto* const owned = static_cast<Managed*>(const_cast<void*>(taken));
                if (owned->deleter == nullptr) return;
                with_gil_until_end([&] { owned->deleter(owned); });  // of Python objects, mostly
            }};
}

PyTensor tensor_over(const dlpack::Array& array, std::shared_ptr<const void> owner) {
    if (array.device.type != dlpack::kCpu) {
        throw UnsupportedError("from_dlpack: the array lies on a device of DLPack's type " +
                               std::to_string(array.device.type) + "; expected the CPU's, 1");
    }
    const ElementType type = element_type_of(array.type);
    const auto size = static_cast<std::ptrdiff_t>(size_of(type));
    Shape shape;
    Strides strides;
    for (std::int32_t i = 0; i < array.rank; ++i) {
        if (array.shape[i] < 0) throw ModelError("from_dlpack: an extent is negative");
        shape.push_back(static_cast<std::size_t>(array.shape[i]));
        if (array.strides != nullptr) strides.push_back(array.strides[i] * size);
    }
    auto* const data = static_cast<std::byte*>(array.data) + array.byte_offset;
    return {Tensor(type, shape, data, strides, std::move(owner))};
}

py::capsule ask_for_capsule(const py::object& object) {
    if (py::isinstance<py::capsule>(object)) return py::reinterpret_borrow<py::capsule>(object);
    if (!py::hasattr(object, "__dlpack__")) {
        throw py::type_error("from_dlpack: expected an object with __dlpack__()");
    }
    try {
        return object.attr("__dlpack__")(py::arg("max_version") = py::make_tuple(1, 0));
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_TypeError)) throw;  // from before DLPack 1.0
    }
    return object.attr("__dlpack__")();
}

}  // namespace

PyTensor from_dlpack(const py::object& object) {
    const py::capsule capsule = ask_for_capsule(object);
    if (PyCapsule_IsValid(capsule.ptr(), kVersionedName) != 0) {
        const auto owner =
            take<dlpack::VersionedTensor>(capsule, kVersionedName, "used_dltensor_versioned");
        const auto& managed = *static_cast<const dlpack::VersionedTensor*>(owner.get());
        if (managed.version.major != 1) {
            throw UnsupportedError("from_dlpack: can't read DLPack version " +
                                   std::to_string(managed.version.major));
        }
        PyTensor tensor = tensor_over(managed.array, owner);
        tensor.read_only = (managed.flags & dlpack::kReadOnly) != 0;
        return tensor;
    }
    if (PyCapsule_IsValid(capsule.ptr(), kName) == 0) {
        throw ModelError("from_dlpack: the capsule holds no array, or it was already taken");
    }
    const auto owner = take<dlpack::ManagedTensor>(capsule, kName, "used_dltensor");
    return tensor_over(static_cast<const dlpack::ManagedTensor*>(owner.get())->array, owner);
}

}  // namespace rondo::python
