#include "frontend/onnx/writer/context/write_context.hpp"

#include <algorithm>
#include <numeric>

#include "core/ops/common/independent_axes.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Names WriteContext::inputs() {
    Names names;
    for (std::size_t i = 0; i < node_.input_count(); ++i) names.push_back(input(i));
    return names;
}

std::string WriteContext::input_as(std::size_t index, ElementType wanted) {
    const auto values = find_ints(index);
    if (values && wanted == ElementType::i64 && shape(index).rank() == 1) return ints(*values);
    if (values && wanted == ElementType::i64 && shape(index).rank() == 0)
        return scalar((*values)[0]);
    return cast(input(index), type(index), wanted);
}

std::string WriteContext::vector(std::size_t index) {
    if (const auto values = find_ints(index)) return ints(*values);
    const std::string value = input_as(index, ElementType::i64);
    const bool is_vector = shape(index).has_rank() && shape(index).rank() == 1;
    return is_vector ? value : reshape(value, {-1});
}

std::size_t WriteContext::rank(std::size_t index) const {
    if (shape(index).has_rank()) return shape(index).rank();
    throw UnsupportedError("the rank of input " + std::to_string(index) + " isn't known");
}

std::optional<Ints> WriteContext::find_ints(std::size_t index) const {
    if (!is_integral(type(index))) return {};
    return ops::constant_ints(node_, index);
}

Ints WriteContext::known_ints(std::size_t index, const std::string& what) const {
    if (auto values = find_ints(index)) return *values;
    throw UnsupportedError(what + " (input " + std::to_string(index) +
                           ") are known only when the model runs; ONNX has them as an attribute");
}

std::size_t WriteContext::known_axis(std::size_t index, std::size_t rank) const {
    const Ints values = known_ints(index, "the axes");
    const std::int64_t axis = values.at(0);
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

Ints WriteContext::distinct_axes(Ints axes) const {
    const auto is_from_end = [](std::int64_t axis) { return axis < 0; };
    const auto from_end = std::count_if(axes.begin(), axes.end(), is_from_end);
    if (from_end > 0 && from_end < static_cast<std::ptrdiff_t>(axes.size())) {
        for (auto& axis : axes) axis += axis < 0 ? static_cast<std::int64_t>(rank(0)) : 0;
    }
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

void WriteContext::require_opset(std::int64_t opset) {
    draft_.file().opset = std::max(draft_.file().opset, opset);
}

std::string WriteContext::ints(const Ints& values) {
    Tensor tensor(ElementType::i64, {values.size()});
    std::copy(values.begin(), values.end(), tensor.data<std::int64_t>());
    return draft_.constant(tensor);
}

std::string WriteContext::scalar(std::int64_t value) {
    Tensor tensor(ElementType::i64, {});
    *tensor.data<std::int64_t>() = value;
    return draft_.constant(tensor);
}

std::string WriteContext::number(ElementType type, double value) {
    return draft_.constant(number_tensor(type, value));
}

std::string WriteContext::cast(const std::string& value, ElementType from, ElementType to) {
    if (from == to) return value;
    return emit("Cast", {value}).with_int("to", onnx_from_element_type(to));
}

std::string WriteContext::transpose(const std::string& value, const Ints& order) {
    if (std::is_sorted(order.begin(), order.end())) return value;
    return emit("Transpose", {value}).with_ints("perm", order);
}

std::string WriteContext::reshape(const std::string& value, const Ints& pattern) {
    return emit("Reshape", {value, ints(pattern)});
}

std::string WriteContext::unsqueeze(const std::string& value, const Ints& axes) {
    return axes.empty() ? value : std::string(emit("Unsqueeze", {value, ints(axes)}));
}

std::string WriteContext::squeeze(const std::string& value, const Ints& axes) {
    return axes.empty() ? value : std::string(emit("Squeeze", {value, ints(axes)}));
}

std::string WriteContext::shape_of(const std::string& value) { return emit("Shape", {value}); }

std::string WriteContext::elements(const std::string& vector, const Ints& indices) {
    return emit("Gather", {vector, ints(indices)}).with_int("axis", 0);
}

std::string WriteContext::joined(const Names& parts, std::int64_t axis) {
    if (parts.size() == 1) return parts[0];
    return emit("Concat", parts).with_int("axis", axis);
}

Tensor number_tensor(ElementType type, double value) {
    Tensor tensor(type, {});
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_arithmetic_v<T>) {
            *tensor.data<T>() = static_cast<T>(value);
        } else {
            *tensor.data<T>() = T(static_cast<float>(value));
        }
    });
    return tensor;
}

ElementType type_of_sums(ElementType type) {
    switch (type) {
        case ElementType::i8:
        case ElementType::i16:
        case ElementType::u8:
        case ElementType::u16: return ElementType::i32;
        default: return type;
    }
}

Ints counted_ints(std::size_t end) {
    Ints values(end);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

Ints inverse_order(const Ints& order) {
    Ints inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    return inverse;
}

}  // namespace rondo::onnx
