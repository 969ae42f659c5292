// Converts MatMulNBits of com.microsoft: the weights, a few bits each, become integers with zero
// points and scales.
#include <algorithm>

#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
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

Sizes sizes_of(NodeContext& by) {
    const auto size = [&](const char* name) {
        const std::int64_t value = by.attribute(name, 0);
        if (value > 0 && value <= static_cast<std::int64_t>(kMaxElements)) {
            return static_cast<std::size_t>(value);
        }
        throw ModelError("attribute '" + std::string(name) + "' is " + std::to_string(value) +
                         "; expected 1 or more");
    };
    Sizes sizes;
    const std::int64_t bits = by.attribute("bits", 4);
    if (bits != 2 && bits != 4 && bits != 8) {
        throw UnsupportedError("attribute 'bits' is " + std::to_string(bits) +
                               "; expected 2, 4 or 8");
    }
    sizes.bits = static_cast<std::size_t>(bits);
    sizes.rows = size("N");
    sizes.columns = size("K");
    sizes.block = size("block_size");
    if (sizes.block < 16 || (sizes.block & (sizes.block - 1)) != 0) {
        throw ModelError("attribute 'block_size' is " + std::to_string(sizes.block) +
                         "; expected a power of 2, 16 or more");
    }
    sizes.blocks = (sizes.columns - 1) / sizes.block + 1;
    by.attributes().find_int("accuracy_level");  // the least accuracy; f32 has all
    if (by.attribute("weight_prepacked", 0) == 0) return sizes;
    throw UnsupportedError("attribute 'weight_prepacked' isn't 0, which is not supported");
}

// An input that is constant, of that many elements.
Tensor known_input(NodeContext& by, std::size_t input, const char* name, std::size_t size) {
    const Tensor known = known_value(by.input(input));
    if (!known) throw UnsupportedError("input '" + std::string(name) + "' isn't constant");
    if (known.size() == size) return known.contiguous();
    throw ModelError("input '" + std::string(name) + "' has shape " + to_string(known.shape()) +
                     "; expected " + std::to_string(size) + " elements");
}

// The same, of floating numbers, in f32 and that shape.
Tensor known_floats(NodeContext& by, std::size_t input, const char* name, const Shape& shape) {
    const Tensor known = known_input(by, input, name, element_count(shape));
    expect_type(by.input(input), "input '" + std::string(name) + "'",
                {f32, ElementType::f16, ElementType::bf16});
    return converted_tensor(known, f32).reshaped(shape);
}

// One for each block, packed as the weights or in floating numbers; or one for all, in the middle.
Tensor zero_points(NodeContext& by, const Sizes& sizes) {
    if (!by.has_input(3)) {
        return filled_tensor(f32, {}, static_cast<double>(1U << (sizes.bits - 1)));
    }
    const Shape shape{sizes.rows, sizes.blocks, 1};
    if (by.input(3).element_type() != ElementType::u8) {
        return known_floats(by, 3, "zero_points", shape);
    }
    const Tensor packed =
        known_input(by, 3, "zero_points", element_count({sizes.rows, sizes.bytes_of_zeros()}));
    Tensor zeros(f32, shape);
    for (std::size_t i = 0; i < zeros.size(); ++i) {
        const auto* row = packed.data<std::uint8_t>() + i / sizes.blocks * sizes.bytes_of_zeros();
        zeros.data<float>()[i] = static_cast<float>(packed_at(row, sizes.bits, i % sizes.blocks));
    }
    return zeros;
}

// [N, blocks, block], a byte each in memory.
Tensor integers(NodeContext& by, const Sizes& sizes) {
    const std::size_t blocks = element_count({sizes.rows, sizes.blocks});
    const Tensor packed = known_input(by, 1, "B", element_count({blocks, sizes.bytes_of_block()}));
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
Output weights_of(NodeContext& by, const Sizes& sizes) {
    const Tensor q = integers(by, sizes);
    const Tensor scales = known_floats(by, 2, "scales", {sizes.rows, sizes.blocks, 1});
    const Output weights = dequantized_constant(by, q, scales, zero_points(by, sizes));
    const auto width = static_cast<std::int64_t>(sizes.blocks * sizes.block);
    const auto columns = static_cast<std::int64_t>(sizes.columns);
    const Output matrix = by.reshape(weights, {static_cast<std::int64_t>(sizes.rows), width});
    return width == columns ? matrix : by.slice(matrix, 1, 0, columns);
}

}  // namespace

std::vector<Output> convert_mat_mul_n_bits(NodeContext& by) {
    const Output a = by.input(0);
    const ElementType type = NodeContext::known_type(a, "A");
    const Sizes sizes = sizes_of(by);
    if (by.has_input(4)) throw UnsupportedError("input 4 ('g_idx') is not supported");
    Output y = by.product_transposed(by.convert(a, f32), weights_of(by, sizes));
    if (const Output bias = by.optional_input(5)) y = by.add(y, by.convert(bias, f32));
    return {by.convert(y, type)};
}

}  // namespace rondo::onnx
