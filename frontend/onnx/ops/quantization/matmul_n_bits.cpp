// Converts MatMulNBits of com.microsoft: the weights, a few bits each, become integers with zero
// points and scales.
#include <algorithm>

#include "core/ops/source/constant.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;

// Numbers of so many bits, the first one in the lowest.
unsigned packed_at(const std::uint8_t* bytes, std::size_t bits, std::size_t index) {
    const std::size_t bit = index * bits;
    return bytes[bit / 8] >> bit % 8 & ((1U << bits) - 1);
}

struct Sizes {
    std::size_t bits = 4;
    std::size_t rows = 0;     // N
    std::size_t columns = 0;  // K
    std::size_t block = 0;
    std::size_t blocks = 0;  // of a row

    std::size_t bytes_of_block() const { return block * bits / 8; }
    std::size_t bytes_of_zeros() const { return (blocks * bits + 7) / 8; }
};

std::size_t attribute(NodeContext& context, const char* name) {
    const std::int64_t value = context.attributes().find_int(name).value_or(0);
    if (value > 0 && value <= static_cast<std::int64_t>(kMaxElements)) {
        return static_cast<std::size_t>(value);
    }
    throw ModelError("attribute '" + std::string(name) + "' is " + std::to_string(value) +
                     "; expected 1 or more");
}

Sizes sizes_of(NodeContext& context) {
    Sizes sizes;
    const std::int64_t bits = context.attributes().find_int("bits").value_or(4);
    if (bits != 2 && bits != 4 && bits != 8) {
        throw UnsupportedError("attribute 'bits' is " + std::to_string(bits) +
                               "; expected 2, 4 or 8");
    }
    sizes.bits = static_cast<std::size_t>(bits);
    sizes.rows = attribute(context, "N");
    sizes.columns = attribute(context, "K");
    sizes.block = attribute(context, "block_size");
    if (sizes.block < 16 || (sizes.block & (sizes.block - 1)) != 0) {
        throw ModelError("attribute 'block_size' is " + std::to_string(sizes.block) +
                         "; expected a power of 2, 16 or more");
    }
    sizes.blocks = (sizes.columns - 1) / sizes.block + 1;
    context.attributes().find_int("accuracy_level");  // the least accuracy; f32 has all
    if (context.attributes().find_int("weight_prepacked").value_or(0) == 0) return sizes;
    throw UnsupportedError("attribute 'weight_prepacked' isn't 0, which is not supported");
}

// An input that is constant, of that many elements.
Tensor known_input(NodeContext& context, std::size_t input, const char* name, std::size_t size) {
    const Tensor known = known_value(context.input(input));
    if (!known) throw UnsupportedError("input '" + std::string(name) + "' isn't constant");
    if (known.size() == size) return known.contiguous();
    throw ModelError("input '" + std::string(name) + "' has shape " + to_string(known.shape()) +
                     "; expected " + std::to_string(size) + " elements");
}

std::vector<float> floats_of(const Tensor& tensor, const char* name) {
    std::vector<float> numbers(tensor.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        switch (tensor.element_type()) {
            case ElementType::f32: numbers[i] = tensor.data<float>()[i]; break;
            case ElementType::f16: numbers[i] = float(tensor.data<float16>()[i]); break;
            case ElementType::bf16: numbers[i] = float(tensor.data<bfloat16>()[i]); break;
            default:
                throw UnsupportedError("input '" + std::string(name) + "' has type " +
                                       std::string(to_string(tensor.element_type())) +
                                       "; expected f32, f16 or bf16");
        }
    }
    return numbers;
}

// One for each block, packed as the weights or in floating numbers; or one for all, in the middle.
std::vector<float> zero_points(NodeContext& context, const Sizes& sizes) {
    const std::size_t count = element_count({sizes.rows, sizes.blocks});
    if (!context.has_input(3)) {
        return {static_cast<float>(1U << (sizes.bits - 1))};
    }
    if (context.input(3).element_type() != ElementType::u8) {
        return floats_of(known_input(context, 3, "zero_points", count), "zero_points");
    }
    const Tensor packed =
        known_input(context, 3, "zero_points", element_count({sizes.rows, sizes.bytes_of_zeros()}));
    std::vector<float> zeros;
    for (std::size_t i = 0; i < count; ++i) {
        const auto* row = packed.data<std::uint8_t>() + i / sizes.blocks * sizes.bytes_of_zeros();
        zeros.push_back(static_cast<float>(packed_at(row, sizes.bits, i % sizes.blocks)));
    }
    return zeros;
}

// [N, blocks, block], a byte each in memory.
Tensor integers(NodeContext& context, const Sizes& sizes) {
    const std::size_t blocks = element_count({sizes.rows, sizes.blocks});
    const Tensor packed =
        known_input(context, 1, "B", element_count({blocks, sizes.bytes_of_block()}));
    if (packed.element_type() != ElementType::u8) {
        throw ModelError("input 'B' has type " + std::string(to_string(packed.element_type())) +
                         "; expected u8");
    }
    if (sizes.bits == 8) return packed.reshaped({sizes.rows, sizes.blocks, sizes.block});
    const ElementType type = sizes.bits == 4 ? ElementType::u4 : ElementType::u2;
    Tensor numbers(type, {sizes.rows, sizes.blocks, sizes.block});
    auto* to = static_cast<std::uint8_t*>(numbers.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        to[i] = static_cast<std::uint8_t>(packed_at(packed.data<std::uint8_t>(), sizes.bits, i));
    }
    return numbers;
}

// (q - zero point) * scale, [N, K].
Output weights_of(const Sizes& sizes, NodeContext& context, Composer& by) {
    const Tensor q = integers(context, sizes);
    const Shape blocks{sizes.rows, sizes.blocks, 1};
    const auto number = [&](const std::vector<float>& numbers) {
        Tensor tensor(f32, numbers.size() == 1 ? Shape{} : blocks);
        std::copy(numbers.begin(), numbers.end(), tensor.data<float>());
        return tensor;
    };
    const Tensor scales =
        number(floats_of(known_input(context, 2, "scales", sizes.rows * sizes.blocks), "scales"));
    const Output weights = dequantized_constant(by, q, scales, number(zero_points(context, sizes)));
    const auto width = static_cast<std::int64_t>(sizes.blocks * sizes.block);
    const auto columns = static_cast<std::int64_t>(sizes.columns);
    const Output matrix = by.reshape(weights, {static_cast<std::int64_t>(sizes.rows), width});
    return width == columns ? matrix : by.slice(matrix, 1, 0, columns);
}

}  // namespace

std::vector<Output> convert_mat_mul_n_bits(NodeContext& context) {
    const Output a = context.input(0);
    const ElementType type = NodeContext::known_type(a, "A");
    const Sizes sizes = sizes_of(context);
    if (context.has_input(4)) {
        throw UnsupportedError("input 4 ('g_idx') is not supported");
    }
    Composer by(context);
    Output y = by.product_transposed(by.convert(a, f32), weights_of(sizes, context, by));
    if (const Output bias = context.optional_input(5)) y = by.add(y, by.convert(bias, f32));
    return {by.result(by.convert(y, type))};
}

}  // namespace rondo::onnx
