#include "frontend/onnx/messages/tensor_reader.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "core/graph/reloadable_tensor.hpp"
#include "core/support/errors.hpp"
#include "core/support/narrow_type.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/messages/data_type.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::TensorProto;

std::string described(ElementType type, const Shape& shape) {
    return std::string(to_string(type)) + to_string(shape);
}

// A boolean is 0 or 1 here, whatever the file's byte is.
void normalize_booleans(Tensor& tensor) {
    if (tensor.element_type() != ElementType::boolean) return;
    auto* bytes = static_cast<unsigned char*>(static_cast<void*>(tensor.data<bool>()));
    for (std::size_t i = 0; i < tensor.size(); ++i) bytes[i] = bytes[i] != 0 ? 1 : 0;
}

Tensor copy_of(ElementType type, const Shape& shape, const void* bytes) {
    Tensor tensor(type, shape);
    if (tensor.byte_size() > 0) std::memcpy(tensor.data(), bytes, tensor.byte_size());
    normalize_booleans(tensor);
    return tensor;
}

// The messages' fields are wider than some elements. A value that doesn't fit is an error.
template <typename Stored, typename Field>
void narrow(const Field& field, Stored* target) {
    for (const auto value : field) {
        if (!std::in_range<Stored>(value)) {
            throw ModelError("the element " + std::to_string(value) + " doesn't fit " +
                             std::to_string(8 * sizeof(Stored)) + " bits");
        }
        *target++ = static_cast<Stored>(value);
    }
}

// Copies a typed field; `Stored` is the element's memory.
template <typename Stored, typename Field>
Tensor typed(ElementType type, const Shape& shape, const char* name, const Field& field) {
    const std::size_t count = element_count(shape);
    if (static_cast<std::size_t>(field.size()) != count) {
        throw ModelError(described(type, shape) + " needs " + counted(count, "element") + ", but " +
                         name + " holds " + std::to_string(field.size()));
    }
    Tensor tensor(type, shape);
    auto* target = static_cast<Stored*>(tensor.data());
    if constexpr (std::is_floating_point_v<Stored>) {
        std::copy(field.begin(), field.end(), target);
    } else {
        narrow(field, target);
    }
    return tensor;
}

Tensor read_typed(const TensorProto& tensor, ElementType type, const Shape& shape) {
    const auto from_int32 = [&]<typename Stored>(Stored) {
        return typed<Stored>(type, shape, "int32_data", tensor.int32_data());
    };
    switch (type) {
        case ElementType::f32: return typed<float>(type, shape, "float_data", tensor.float_data());
        case ElementType::f64:
            return typed<double>(type, shape, "double_data", tensor.double_data());
        case ElementType::i64:
            return typed<std::int64_t>(type, shape, "int64_data", tensor.int64_data());
        case ElementType::u64:
            return typed<std::uint64_t>(type, shape, "uint64_data", tensor.uint64_data());
        case ElementType::u32:
            return typed<std::uint32_t>(type, shape, "uint64_data", tensor.uint64_data());
        case ElementType::i32: return from_int32(std::int32_t{});
        case ElementType::i16: return from_int32(std::int16_t{});
        case ElementType::i8: return from_int32(std::int8_t{});
        case ElementType::u16: return from_int32(std::uint16_t{});
        case ElementType::f16: return from_int32(std::uint16_t{});   // the bits
        case ElementType::bf16: return from_int32(std::uint16_t{});  // the bits
        case ElementType::u8: return from_int32(std::uint8_t{});
        case ElementType::boolean: {
            Tensor flags = from_int32(std::uint8_t{});
            normalize_booleans(flags);
            return flags;
        }
        default: break;
    }
    internal_error("an ONNX tensor without a type");
}

// The bytes of a tensor of this type and shape; throws for hostile sizes.
std::size_t bytes_for(ElementType type, const Shape& shape) {
    return element_count(shape) * size_of(type);
}

void check_raw(const std::string& raw, ElementType type, const Shape& shape) {
    const std::size_t size = bytes_for(type, shape);
    if (raw.size() == size) return;
    throw ModelError(described(type, shape) + " needs " + std::to_string(size) +
                     " bytes, but raw_data holds " + std::to_string(raw.size()));
}

Tensor copy_raw(const std::string& raw, ElementType type, const Shape& shape) {
    check_raw(raw, type, shape);
    return copy_of(type, shape, raw.data());
}

// Small tensors are copied to a cache line of their own.
Tensor take_raw(std::string& raw, ElementType type, const Shape& shape) {
    constexpr std::size_t kWorthTaking = 64 * 1024;
    if (raw.size() < kWorthTaking || type == ElementType::boolean) {
        return copy_raw(raw, type, shape);
    }
    check_raw(raw, type, shape);
    auto owner = std::make_shared<const std::string>(std::move(raw));
    const char* data = owner->data();
    return {type, shape, data, std::move(owner)};
}

bool has_typed_data(const TensorProto& tensor) {
    return tensor.float_data_size() > 0 || tensor.int32_data_size() > 0 ||
           tensor.int64_data_size() > 0 || tensor.double_data_size() > 0 ||
           tensor.uint64_data_size() > 0;
}

Tensor read_external(const TensorProto& tensor, ElementType type, const Shape& shape,
                     ExternalFiles& external) {
    const MappedFile bytes = external.bytes_of(tensor, bytes_for(type, shape));
    if (type == ElementType::boolean) return copy_of(type, shape, bytes.data);
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data) % size_of(type) == 0;
    // Programs write over models in place, rarely over weights beside them.
    if (!aligned || external.is_own(bytes)) return copy_from_file(type, shape, bytes);
    return {type, shape, bytes.data, bytes.owner};
}

// Elements of 2 to 8 bits lie packed in all forms; a typed field has a byte an entry.
Tensor read_narrow(const TensorProto& tensor, ElementType type, const Shape& shape,
                   ExternalFiles& external) {
    const std::size_t size = packed_bytes(type, element_count(shape));
    std::vector<std::uint8_t> typed_bytes(static_cast<std::size_t>(tensor.int32_data_size()));
    narrow(tensor.int32_data(), typed_bytes.data());
    MappedFile mapped;
    const void* bytes = tensor.raw_data().data();
    std::size_t held = tensor.raw_data().size();
    if (tensor.data_location() == TensorProto::EXTERNAL) {
        mapped = external.bytes_of(tensor, size);
        bytes = mapped.data;
        held = size;
    } else if (held == 0) {
        bytes = typed_bytes.data();
        held = typed_bytes.size();
    }
    if (held != size) {
        throw ModelError(described(type, shape) + " needs " + std::to_string(size) +
                         " bytes, but the tensor holds " + std::to_string(held));
    }
    Tensor result(type, shape);
    unpack(type, static_cast<const std::uint8_t*>(bytes),
           {static_cast<std::uint8_t*>(result.data()), result.size()});
    return result;
}

}  // namespace

Tensor TensorReader::read(const TensorProto& tensor) {
    return read_with(tensor, [&](ElementType type, const Shape& shape) {
        return copy_raw(tensor.raw_data(), type, shape);
    });
}

Tensor TensorReader::take(TensorProto& tensor) {
    return read_with(tensor, [&](ElementType type, const Shape& shape) {
        return take_raw(*tensor.mutable_raw_data(), type, shape);
    });
}

Tensor TensorReader::read_with(const TensorProto& tensor, ReadRaw read_raw) {
    const auto place = [&] { return "tensor '" + tensor.name() + "'"; };
    return at_place(place, [&] {
        const ElementType type = element_type_from_onnx(tensor.data_type());
        const Shape shape = shape_of_dims(tensor.dims());
        if (tensor.has_segment()) throw UnsupportedError("tensors in segments are not supported");
        const bool raw = !tensor.raw_data().empty();
        if (raw && has_typed_data(tensor)) {
            throw ModelError("it has its elements twice, in raw_data and in a typed field");
        }
        if (is_narrow(type)) return read_narrow(tensor, type, shape, external_);
        if (tensor.data_location() == TensorProto::EXTERNAL) {
            return read_external(tensor, type, shape, external_);
        }
        return raw ? read_raw(type, shape) : read_typed(tensor, type, shape);
    });
}

namespace {

// The place in the flattened tensor of coordinates, or of a place that is flat already.
std::size_t place_of(const std::int64_t* index, const Shape& extents) {
    std::size_t place = 0;
    for (const std::size_t extent : extents) {
        const std::int64_t at = *index++;
        if (at < 0 || static_cast<std::size_t>(at) >= extent) {
            throw ModelError("an index is " + std::to_string(at) + "; expected 0 to " +
                             std::to_string(extent) + " exclusive");
        }
        place = place * extent + static_cast<std::size_t>(at);
    }
    return place;
}

// The extents that a row of indices counts along: those of the tensor, or all of it as one.
Shape index_extents(const Tensor& values, const Tensor& indices, const Shape& dense) {
    const std::size_t count = values.size();
    if (values.shape().size() != 1) {
        throw ModelError("its values have shape " + to_string(values.shape()) +
                         "; expected one axis");
    }
    if (indices.element_type() == ElementType::i64) {
        if (indices.shape() == Shape{count}) return {element_count(dense)};
        if (indices.shape() == Shape{count, dense.size()}) return dense;
    }
    throw ModelError("its indices are " + described(indices.element_type(), indices.shape()) +
                     "; expected i64" + to_string(Shape{count}) + " or i64" +
                     to_string(Shape{count, dense.size()}));
}

Tensor densified(const Tensor& values, const Tensor& indices, const Shape& shape) {
    const Shape extents = index_extents(values, indices, shape);
    Tensor dense(values.element_type(), shape);  // zeros
    const std::size_t size = size_of(values.element_type());
    const auto* from = static_cast<const std::byte*>(values.data());
    auto* to = static_cast<std::byte*>(dense.data());
    std::size_t next = 0;  // where the next element may be
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t place =
            place_of(indices.data<std::int64_t>() + i * extents.size(), extents);
        if (place < next) {
            throw ModelError("its indices don't ascend: entry " + std::to_string(i) +
                             " is not behind the one before it");
        }
        std::memcpy(to + place * size, from + i * size, size);
        next = place + 1;
    }
    return dense;
}

}  // namespace

Tensor TensorReader::read(const rondo_onnx::SparseTensorProto& sparse) {
    const Tensor values = read(sparse.values());
    const auto place = [&] { return "sparse tensor '" + sparse.values().name() + "'"; };
    return at_place(place, [&] {
        const Shape shape = shape_of_dims(sparse.dims());
        // A few bytes may name a dense tensor of any size.
        memory_.check(element_count(shape) * size_of(values.element_type()));
        return densified(values, read(sparse.indices()), shape);
    });
}

}  // namespace rondo::onnx
