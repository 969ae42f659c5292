#include "frontend/onnx/writer/context/write_context.hpp"

#include <algorithm>
#include <numeric>

#include "core/ops/builder.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Names WriteContext::inputs() {
    Names names;
    for (std::size_t i = 0; i < node_.input_count(); ++i) names.push_back(input(i));
    return names;
}

std::string WriteContext::input_as(std::size_t index, ElementType wanted) {
    const auto values = wanted == ElementType::i64 ? find_ints(index) : std::nullopt;
    if (values && shape(index).rank() <= 1) {
        return is_scalar(index) ? scalar(values->front()) : ints(*values);
    }
    return cast(input(index), type(index), wanted);
}

std::string WriteContext::vector(std::size_t index) {
    if (const auto values = find_ints(index)) return ints(*values);
    const std::string value = wide_input(index);
    const bool is_vector = shape(index).has_rank() && shape(index).rank() == 1;
    return is_vector ? value : reshape(value, {-1});
}

std::size_t WriteContext::rank(std::size_t index) const {
    if (shape(index).has_rank()) return shape(index).rank();
    throw UnsupportedError("the rank of input " + std::to_string(index) + " isn't known");
}

std::optional<std::size_t> WriteContext::length(std::size_t index) const {
    const PartialShape& vector = shape(index);
    if (!vector.has_rank() || vector.rank() != 1 || !vector[0].is_static()) return {};
    return static_cast<std::size_t>(vector[0].length());
}

std::size_t WriteContext::known_length(std::size_t index, const std::string& what) const {
    if (const auto known = length(index)) return *known;
    throw UnsupportedError("the number of " + what + " isn't known");
}

std::optional<Ints> WriteContext::find_ints(std::size_t index) const {
    if (!is_integral(type(index))) return {};
    return constant_ints(node_.input(index));
}

Ints WriteContext::known_ints(std::size_t index, const std::string& what) const {
    if (auto values = find_ints(index)) return *values;
    throw UnsupportedError(what + " (input " + std::to_string(index) +
                           ") are known only when the model runs; ONNX has them as an attribute");
}

std::int64_t WriteContext::from_front(std::int64_t axis) const {
    return axis < 0 ? axis + static_cast<std::int64_t>(rank(0)) : axis;
}

Ints WriteContext::distinct_axes(Ints axes) const {
    const auto is_from_end = [](std::int64_t axis) { return axis < 0; };
    if (!std::all_of(axes.begin(), axes.end(), is_from_end)) {
        for (auto& axis : axes) axis = from_front(axis);
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
    return draft_.constant(ops::filled_tensor(type, {}, value));
}

std::string WriteContext::cast(const std::string& value, ElementType from, ElementType to) {
    if (from == to) return value;
    return emit("Cast", {value}).with("to", onnx_from_element_type(to));
}

std::string WriteContext::transpose(const std::string& value, const Ints& order) {
    if (std::is_sorted(order.begin(), order.end())) return value;
    return emit("Transpose", {value}).with("perm", order);
}

std::string WriteContext::reshape(const std::string& value, const Ints& pattern) {
    return emit("Reshape", {value, ints(pattern)});
}

std::string WriteContext::reshape_to(const std::string& value, const Names& extents) {
    return emit("Reshape", {value, joined(extents)}).with("allowzero", true);
}

std::string WriteContext::as_scalar(const std::string& value, const PartialShape& shape) {
    return has_rank_0(shape) ? value : reshape(value, {});
}

std::string WriteContext::unsqueeze(const std::string& value, const Ints& axes) {
    return axes.empty() ? value : std::string(emit("Unsqueeze", {value, ints(axes)}));
}

std::string WriteContext::squeeze(const std::string& value, const Ints& axes) {
    return axes.empty() ? value : std::string(emit("Squeeze", {value, ints(axes)}));
}

std::string WriteContext::shape_of(const std::string& value) { return emit("Shape", {value}); }

std::string WriteContext::gather(const std::string& data, const std::string& indices,
                                 std::int64_t axis) {
    return emit("Gather", {data, indices}).with("axis", axis);
}

std::string WriteContext::elements(const std::string& vector, const Ints& indices) {
    return gather(vector, ints(indices));
}

std::string WriteContext::joined(const Names& parts, std::int64_t axis) {
    if (parts.size() == 1) return parts[0];
    return emit("Concat", parts).with("axis", axis);
}

ElementType type_of_sums(ElementType type) {
    return is_integral(type) && size_of(type) < 4 ? ElementType::i32 : type;
}

Ints counted_ints(std::size_t end, std::size_t first) {
    Ints values(end - first);
    std::iota(values.begin(), values.end(), static_cast<std::int64_t>(first));
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
