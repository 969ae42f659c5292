#include "core/graph/constants.hpp"

namespace rondo {
namespace {

template <typename T>
double first_as_double(const Tensor& tensor) {
    return static_cast<double>(*tensor.data<T>());
}

double floating_element(const Tensor& tensor) {
    switch (tensor.element_type()) {
        case ElementType::f64: return first_as_double<double>(tensor);
        case ElementType::f32: return first_as_double<float>(tensor);
        case ElementType::f16:
            return static_cast<double>(static_cast<float>(*tensor.data<float16>()));
        default: return static_cast<double>(static_cast<float>(*tensor.data<bfloat16>()));
    }
}

}  // namespace

std::optional<std::vector<std::int64_t>> constant_ints(const Output& output) {
    const Tensor value = known_value(output);
    if (!value || !is_integral(value.element_type()) || value.shape().size() > 1) return {};
    return to_int64_vector(value);
}

std::optional<double> constant_scalar(const Output& output) {
    const Tensor value = known_value(output);
    if (!value || value.size() != 1 || value.element_type() == ElementType::boolean) return {};
    if (is_floating(value.element_type())) return floating_element(value);
    return static_cast<double>(to_int64_vector(value).front());
}

bool has_zero_bits(const Tensor& tensor) {
    if (!tensor) return false;
    const Tensor dense = tensor.contiguous();
    const auto* bytes = static_cast<const std::byte*>(dense.data());
    return std::all_of(bytes, bytes + dense.byte_size(),
                       [](std::byte byte) { return byte == std::byte{0}; });
}

std::optional<std::vector<std::size_t>> normalized_axes(const std::vector<std::int64_t>& axes,
                                                        std::size_t rank) {
    const auto signed_rank = static_cast<std::int64_t>(rank);
    std::vector<std::size_t> result;
    for (const std::int64_t axis : axes) {
        if (axis < -signed_rank || axis >= signed_rank) return {};
        result.push_back(static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis));
    }
    return result;
}

InferContext context_of(const Node& node) {
    std::vector<InferInput> inputs;
    for (const Output& input : node.inputs()) {
        inputs.push_back({input.element_type(), input.shape(), known_value(input)});
    }
    return {node, std::move(inputs)};
}

bool has_sole_consumer(const Output& output) { return output.consumers().size() == 1; }

}  // namespace rondo
