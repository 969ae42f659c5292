// Evaluates MaxPool and AvgPool.
#include "core/ops/window/pool.hpp"

#include <limits>
#include <vector>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/spatial.hpp"

namespace rondo::reference {
namespace {

// Calls visit(output, place in the plane) for each element that each window of a plane covers.
// Taps outside of the data are not walked: there may be billions.
template <typename Visit>
void for_each_covered(const Axes3& axes, Visit visit) {
    const Index3 inputs = extents_of(axes, &ops::ConvolutionAxis::input);
    std::size_t output = 0;
    for_each_index(extents_of(axes, &ops::ConvolutionAxis::output), [&](const Index3& at) {
        Index3 first{}, count{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& axis = axes[i];
            const std::int64_t begin = at[i] * axis.stride - axis.pad_begin;
            const std::int64_t skipped =
                begin < 0 ? (axis.dilation - 1 - begin) / axis.dilation : 0;
            first[i] = begin + skipped * axis.dilation;
            count[i] = ops::taps_inside(axis, at[i], 0, 0);
        }
        for_each_index(count, [&](const Index3& tap) {
            Index3 input{};
            for (std::size_t i = 0; i < 3; ++i) input[i] = first[i] + tap[i] * axes[i].dilation;
            visit(output, place(input, inputs));
        });
        ++output;
    });
}

struct Planes {
    std::size_t count;
    std::size_t input;   // elements
    std::size_t output;  // likewise
};

Planes planes_of(const Shape& shape, const Axes3& axes) {
    return {shape[0] * shape[1], volume(extents_of(axes, &ops::ConvolutionAxis::input)),
            volume(extents_of(axes, &ops::ConvolutionAxis::output))};
}

// The place of each window's greatest element in all of the data, or -1 without elements.
template <typename Number, typename Greater>
std::vector<std::int64_t> greatest(const Planes& planes, const Axes3& axes,
                                   const std::vector<Number>& data, Greater is_greater) {
    std::vector<std::int64_t> places(planes.count * planes.output, -1);
    for (std::size_t plane = 0; plane < planes.count; ++plane) {
        for_each_covered(axes, [&](std::size_t output, std::size_t place) {
            std::int64_t& best = places[plane * planes.output + output];
            const std::size_t own = plane * planes.input + place;
            if (best < 0 || is_greater(data[own], data[static_cast<std::size_t>(best)])) {
                best = static_cast<std::int64_t>(own);
            }
        });
    }
    return places;
}

template <typename Number>
std::vector<Number> values_at(const std::vector<std::int64_t>& places,
                              const std::vector<Number>& data, Number none) {
    std::vector<Number> values;
    for (const std::int64_t place : places) {
        values.push_back(place < 0 ? none : data[static_cast<std::size_t>(place)]);
    }
    return values;
}

// The least number of an integer type, as a word.
std::uint64_t least_word(ElementType type) {
    if (!is_signed(type)) return 0;
    return ~std::uint64_t{0} << (8 * size_of(type) - 1);
}

std::vector<std::int64_t> pool_integers(const Planes& planes, const Axes3& axes, const Tensor& data,
                                        Tensor& output) {
    const auto words = to_words(data);
    const GreaterWord is_greater{is_signed(data.element_type())};
    const auto places = greatest(planes, axes, words, is_greater);
    from_words(values_at(places, words, least_word(data.element_type())), output);
    return places;
}

std::vector<std::int64_t> pool_floats(const Planes& planes, const Axes3& axes, const Tensor& data,
                                      Tensor& output) {
    const auto numbers = to_doubles(data);
    const auto places = greatest(planes, axes, numbers, is_greater_number);
    from_doubles(values_at(places, numbers, -std::numeric_limits<double>::infinity()), output);
    return places;
}

}  // namespace

void max_pool(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::MaxPool&>(node);
    const Shape& shape = inputs[0].shape();
    const Axes3 axes = three_axes(op.axes(shape));
    const Planes planes = planes_of(shape, axes);
    const auto places = is_floating(inputs[0].element_type())
                            ? pool_floats(planes, axes, inputs[0], outputs[0])
                            : pool_integers(planes, axes, inputs[0], outputs[0]);
    const InferContext context = known_context(node, inputs);
    const std::size_t axis = normalize_axis(context, op.axis(), shape.size());
    const std::size_t block = product(shape, axis, shape.size());
    std::vector<std::uint64_t> words;
    for (const std::int64_t place : places) {
        words.push_back(place < 0 ? 0 : static_cast<std::size_t>(place) % block);
    }
    from_words(words, outputs[1]);
}

void avg_pool(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::AvgPool&>(node);
    const Shape& shape = inputs[0].shape();
    const Axes3 axes = three_axes(op.axes(shape));
    const Planes planes = planes_of(shape, axes);
    const auto data = to_doubles(inputs[0]);
    std::vector<double> sums(planes.count * planes.output);
    for (std::size_t plane = 0; plane < planes.count; ++plane) {
        for_each_covered(axes, [&](std::size_t output, std::size_t place) {
            sums[plane * planes.output + output] += data[plane * planes.input + place];
        });
    }
    const auto counts = op.counts(op.axes(shape));
    const std::size_t first = axes.size() - counts.size();
    std::size_t output = 0;
    for_each_index(extents_of(axes, &ops::ConvolutionAxis::output), [&](const Index3& at) {
        std::int64_t count = 1;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            count *= counts[i][static_cast<std::size_t>(at[first + i])];
        }
        for (std::size_t plane = 0; plane < planes.count; ++plane) {
            sums[plane * planes.output + output] /= static_cast<double>(count);
        }
        ++output;
    });
    from_doubles(sums, outputs[0]);
}

}  // namespace rondo::reference
