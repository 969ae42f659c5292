#include "core/ops/reference/common/indices.hpp"

#include <cstring>
#include <string>

#include "core/support/nd_loop.hpp"

namespace rondo::reference {

InferContext known_context(const Node& node, std::span<const Tensor> inputs) {
    std::vector<InferInput> seen;
    for (const auto& input : inputs) seen.push_back({input.element_type(), input.shape(), input});
    return {node, std::move(seen)};
}

std::size_t product(const Shape& shape, std::size_t first, std::size_t last) {
    std::size_t result = 1;
    for (std::size_t axis = first; axis < last; ++axis) result *= shape[axis];
    return result;
}

void next_index(std::vector<std::size_t>& index, const Shape& shape) {
    for (std::size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) return;
        index[axis] = 0;
    }
}

void copy_each(Tensor& output,
               FunctionRef<const void*(const std::vector<std::size_t>& index)> source) {
    const std::size_t bytes = size_of(output.element_type());
    auto* to = static_cast<char*>(output.data());
    std::vector<std::size_t> index(output.shape().size());
    for (std::size_t i = 0; i < output.size(); ++i, to += bytes) {
        std::memcpy(to, source(index), bytes);
        next_index(index, output.shape());
    }
}

void take_elements(const Tensor& data, const std::vector<std::size_t>& numbers, Tensor& output) {
    const std::size_t bytes = size_of(data.element_type());
    const auto* from = static_cast<const char*>(data.data());
    auto* to = static_cast<char*>(output.data());
    for (const std::size_t number : numbers) {
        std::memcpy(to, from + number * bytes, bytes);
        to += bytes;
    }
}

std::size_t place_on_axis(const InferContext& context, std::int64_t index, bool is_u64,
                          std::size_t extent) {
    const auto end = static_cast<std::int64_t>(extent);
    if (index < (is_u64 ? 0 : -end) || index >= end) {
        context.fail(
            "index " +
            (is_u64 ? std::to_string(static_cast<std::uint64_t>(index)) : std::to_string(index)) +
            " is out of range for an axis of extent " + std::to_string(end));
    }
    return static_cast<std::size_t>(index < 0 ? index + end : index);
}

std::vector<std::size_t> places_on_axis(const InferContext& context, const Tensor& indices,
                                        std::size_t extent) {
    const bool is_u64 = indices.element_type() == ElementType::u64;
    std::vector<std::size_t> places;
    for (const std::int64_t index : to_int64_vector(indices)) {
        places.push_back(place_on_axis(context, index, is_u64, extent));
    }
    return places;
}

ElementStrides broadcast_strides(const Shape& shape, const Shape& walked) {
    ElementStrides strides(walked.size());
    std::size_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last axis on
        const std::size_t extent = shape[shape.size() - 1 - i];
        strides[walked.size() - 1 - i] = extent == 1 ? 0 : stride;
        stride *= extent;
    }
    return strides;
}

void walk(const Shape& shape, const ElementStrides& a, const ElementStrides& b,
          FunctionRef<void(std::size_t, std::size_t)> visit) {
    std::vector<NdAxis<2>> axes(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        axes[i] = {static_cast<std::int64_t>(shape[i]),
                   {static_cast<std::int64_t>(a[i]), static_cast<std::int64_t>(b[i])}};
    }
    const NdLoop<2> loop(std::move(axes));
    const auto& run = loop.run();
    loop.for_each_run([&](const NdLoop<2>::Offsets& at) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            visit(static_cast<std::size_t>(at[0] + i * run.steps[0]),
                  static_cast<std::size_t>(at[1] + i * run.steps[1]));
        }
    });
}

}  // namespace rondo::reference
