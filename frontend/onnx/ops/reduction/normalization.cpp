// Converts the operators that normalise: by the statistics of channels, groups, rows or windows, or
// by norms. Types of 16 bits are computed in f32.
#include "core/ops/reduction/reduction_ops.hpp"

#include <string>
#include <utility>

#include "core/ops/compositions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kNoTestFlagSince = 7;
constexpr std::int64_t kNoSpatialFlagSince = 9;
constexpr std::int64_t kTrainingFlagSince = 14;

// Whether the batch's own mean and variance are used; throws if that isn't supported.
bool trains(NodeContext& by) {
    skip_consumed_inputs(by);
    if (by.opset() < kNoTestFlagSince && !by.attribute("is_test", false)) {
        throw UnsupportedError("is_test is 0: training isn't supported before opset 14");
    }
    if (by.opset() >= kTrainingFlagSince) return by.attribute("training_mode", false);
    for (std::size_t i = 1; i < by.output_count(); ++i) {
        if (by.has_output(i)) {
            throw UnsupportedError("output " + std::to_string(i) +
                                   " is used: training isn't supported before opset 14");
        }
    }
    return false;
}

// The mean and the variance of the batch, one a channel.
std::pair<Output, Output> batch_statistics(NodeContext& by, const Output& x) {
    Ints axes = ints_from(0, NodeContext::rank_of(x, 2));
    axes.erase(axes.begin() + 1);
    const Output square =
        by.apply(BinaryFunction::squared_difference, x, by.reduce(ReduceFunction::mean, x, axes));
    return {by.reduce(ReduceFunction::mean, x, axes, false),
            by.reduce(ReduceFunction::mean, square, axes, false)};
}

}  // namespace

// y = x * factor + shift with factor = scale / sqrt(variance + epsilon), shift = B - mean * factor.
// There is one a channel, or in old opsets perhaps one for each element of an image.
std::vector<Output> convert_batch_normalization(NodeContext& by) {
    const bool is_training = trains(by);
    const ElementType type = NodeContext::known_type(by.input(0), "X");
    const ElementType wide = arithmetic_type(type);
    const double epsilon = by.attribute("epsilon", 1e-5F);
    const float momentum = by.attribute("momentum", 0.9F);
    NodeContext::rank_of(by.input(0), 1);
    const bool by_channel = by.opset() >= kNoSpatialFlagSince || by.attribute("spatial", true);
    const Output x =
        by_channel
            ? with_channels(by, by.input(0), {by.input(1), by.input(2), by.input(3), by.input(4)})
            : by.input(0);
    const auto read = [&](std::size_t input, const std::string& name) {
        const Output value = by.convert(by.input(input), wide);
        if (by_channel) return exact_channels(by, value, x, name);
        const auto& extents = x.shape().dimensions();
        NodeContext::check_shape(value, std::vector<Dimension>(extents.begin() + 1, extents.end()),
                                 name);
        return value;
    };
    const auto placed = [&](const Output& value) {
        return by_channel ? channel_vector(by, value, x, "scale") : by.unsqueeze(value, {0});
    };
    const Output scale = read(1, "scale"), bias = read(2, "B");
    const std::pair given{read(3, "mean"), read(4, "variance")};
    const Output data = by.convert(x, wide);
    const auto [mean, variance] = is_training ? batch_statistics(by, data) : given;
    const Output factor = by.divide(scale, ops::root(by, variance, epsilon));
    const Output shift = by.subtract(bias, by.multiply(mean, factor));
    const Output y = ops::affine(by, data, placed(factor), placed(shift));
    std::vector<Output> outputs{by.convert(y, type)};
    if (!is_training) return outputs;
    const ElementType kept = NodeContext::known_type(by.input(3), "mean");
    const auto running = [&](const Output& before, const Output& current) {
        const auto part = [&](const Output& value, float share) {
            return by.multiply(value, by.number(wide, share));
        };
        return by.convert(by.add(part(before, momentum), part(current, 1 - momentum)), kept);
    };
    outputs.push_back(running(given.first, mean));
    outputs.push_back(running(given.second, variance));
    return outputs;
}

namespace {

// x times input 1 plus input 2, which have an element for each channel of x.
std::vector<Output> scaled_channels(NodeContext& by, const Output& normal, const Output& x,
                                    const std::string& bias) {
    const Output scale = channel_vector(by, by.input(1), x, "scale");
    return {ops::affine(by, normal, scale, channel_vector(by, by.input(2), x, bias))};
}

// X as [N, groups, channels of a group, ...]: refused when it runs if the groups don't divide
// the channels. X itself if that is known.
Output with_whole_groups(NodeContext& by, const Output& x, std::int64_t groups) {
    const std::size_t rank = x.shape().rank();
    if (rank == 2 || x.shape()[1].is_static()) return x;
    std::vector<Output> extents{by.run_extent(x, 0), by.ints({groups, -1})};
    for (const std::int64_t axis : ints_from(2, rank)) extents.push_back(by.run_extent(x, axis));
    return by.reshape_to(x, by.concat(extents, 0));
}

// The channels of a group and all that is after them are one axis.
Output normal_groups(NodeContext& by, const Output& x, std::int64_t groups) {
    return ops::normalised_groups(by, with_whole_groups(by, x, groups), groups,
                                  by.attribute("epsilon", 1e-5F));
}

std::int64_t groups_of(NodeContext& by, const Output& x) {
    const std::int64_t groups = by.attribute_from("num_groups", 0, 1);
    const Dimension& channels = x.shape()[1];
    if (channels.is_static() && channels.length() % groups != 0) {
        throw ModelError("X has shape " + to_string(x.shape()) + " and 'num_groups' is " +
                         std::to_string(groups) + "; expected channels that it divides");
    }
    return groups;
}

}  // namespace

std::vector<Output> convert_instance_normalization(NodeContext& by) {
    skip_consumed_inputs(by);
    const std::size_t rank = NodeContext::rank_of(by.input(0), 2);
    const Output x = with_channels(by, by.input(0), {by.input(1), by.input(2)});
    const ops::MvnAttributes attributes{by.attribute("epsilon", 1e-5F)};
    const Output normal = by.make<ops::Mvn>(x, by.ints(ints_from(2, rank)), attributes);
    return scaled_channels(by, normal, x, "B");
}

// A factor and a shift for each group.
std::vector<Output> convert_group_normalization_18(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::rank_of(x, 2);
    const std::int64_t groups = groups_of(by, x);
    NodeContext::check_shape(by.input(1), {groups}, "scale");
    NodeContext::check_shape(by.input(2), {groups}, "bias");
    const Output normal = normal_groups(by, x, groups);
    return {by.reshape_like(scaled_channels(by, normal, normal, "bias")[0], x)};
}

// A factor and a shift for each channel. Statistics have the arithmetic's type whatever stash_type
// says, which is at least as wide.
std::vector<Output> convert_group_normalization_21(NodeContext& by) {
    NodeContext::rank_of(by.input(0), 2);
    const Output x = with_channels(by, by.input(0), {by.input(1), by.input(2)});
    by.attributes().find_int("stash_type");
    const Output normal = by.reshape_like(normal_groups(by, x, groups_of(by, x)), x);
    return scaled_channels(by, normal, x, "bias");
}

std::vector<Output> convert_mean_variance_normalization(NodeContext& by) {
    constexpr float kEpsilon = 1e-9F;  // of the operator's page, added to the deviation
    const ops::MvnAttributes attributes{kEpsilon, true, ops::EpsMode::outside_sqrt};
    return {
        by.make<ops::Mvn>(by.input(0), by.ints(by.attribute("axes", Ints{0, 2, 3})), attributes)};
}

namespace {

// ONNX's numbers of the types that statistics may have.
ElementType stash_type(NodeContext& by) {
    const std::int64_t number = by.attribute("stash_type", 1);
    switch (number) {
        case 1: return ElementType::f32;
        case 10: return ElementType::f16;
        case 11: return ElementType::f64;
        case 16: return ElementType::bf16;
        default:
            throw UnsupportedError("attribute 'stash_type' is " + std::to_string(number) +
                                   "; expected 1, 10, 11 or 16: a floating type");
    }
}

Output reciprocal(NodeContext& by, const Output& x) { return by.divide(by.number(1, x), x); }

// sqrt(mean of squares + epsilon).
Output root_of_mean(NodeContext& by, const Output& squares, const Ints& axes, double epsilon) {
    return ops::root(by, by.reduce(ReduceFunction::mean, squares, axes), epsilon);
}

// X, known to have the extents that a parameter has, which is broadcast to it and may be empty.
Output with_extents_of(NodeContext& by, const Output& x, const Output& parameter,
                       const char* what) {
    if (!parameter || !x.shape().has_rank()) return x;
    check_broadcast(parameter.shape(), x.shape(), what);
    return with_extents(by, x, extents_met(parameter.shape(), x.shape()));
}

}  // namespace

// onnxruntime has LayerNormalization in all opsets. Mean and 1 / deviation are for their rare
// readers.
std::vector<Output> convert_layer_normalization(NodeContext& by) {
    const Output scale = by.input(1), bias = by.optional_input(2);
    const Output x =
        with_extents_of(by, with_extents_of(by, by.input(0), scale, "scale"), bias, "bias");
    const ElementType type = NodeContext::known_type(x, "X");
    const ElementType stash = stash_type(by);
    const float epsilon = by.attribute("epsilon", 1e-5F);
    const Ints axes = axes_from(x, by.attribute("axis", -1));
    const Output normal = by.make<ops::Mvn>(x, by.ints(axes), ops::MvnAttributes{epsilon});
    std::vector<Output> outputs{
        in_shape_of(by, ops::affine(by, normal, scale, bias), x, {scale, bias})};
    if (!by.has_output(1) && !by.has_output(2)) return outputs;
    const Output wide = by.convert(x, arithmetic_type(type));
    const Output mean = by.reduce(ReduceFunction::mean, wide, axes);
    const Output square = by.apply(BinaryFunction::squared_difference, wide, mean);
    const Output inverse = reciprocal(by, root_of_mean(by, square, axes, epsilon));
    outputs.push_back(by.convert(mean, stash));
    outputs.push_back(by.convert(inverse, stash));
    return outputs;
}

// x / sqrt(mean(x^2) + epsilon) * scale. onnxruntime also calls it SimplifiedLayerNormalization.
std::vector<Output> convert_rms_normalization(NodeContext& by) {
    const Output scale = by.input(1);
    const Output x = with_extents_of(by, by.input(0), scale, "scale");
    const ElementType type = NodeContext::known_type(x, "X");
    const ElementType stash = stash_type(by);  // arithmetic has as many bits or more
    const double epsilon = by.attribute("epsilon", 1e-5F);
    const Ints axes = axes_from(x, by.attribute("axis", -1));
    const Output wide = by.convert(x, arithmetic_type(type));
    const Output root = root_of_mean(by, by.multiply(wide, wide), axes, epsilon);
    const Output normal =
        by.convert(by.divide(wide, root), NodeContext::known_type(scale, "scale"));
    const Output y = in_shape_of(by, by.multiply(normal, scale), x, {scale});
    if (!by.has_output(1)) return {y};
    return {y, by.convert(reciprocal(by, root), stash)};
}

// For com.microsoft: a sum of data, skip and bias, normalised along its last axis, times gamma plus
// beta. The simplified form has no beta and subtracts no mean. The results: that, the means, the
// inverse deviations and the sum.
std::vector<Output> convert_skip_layer_normalization(NodeContext& by, bool is_full) {
    const std::size_t bias = is_full ? 4 : 3;
    const ElementType type = NodeContext::floating_type(by.input(0));
    const auto wide = [&](std::size_t input) {
        return by.convert(by.input(input), arithmetic_type(type));
    };
    const double epsilon = by.attribute("epsilon", 1e-12F);
    Output sum = by.add(wide(0), wide(1));
    if (by.has_input(bias)) sum = by.add(sum, wide(bias));
    const Output means = is_full ? by.reduce(ReduceFunction::mean, sum, {-1}) : Output();
    const Output centred = means ? by.subtract(sum, means) : sum;
    const Output inverses =
        reciprocal(by, root_of_mean(by, by.multiply(centred, centred), {-1}, epsilon));
    const bool has_beta = is_full && by.has_input(3);
    const Output y =
        ops::affine(by, by.multiply(centred, inverses), wide(2), has_beta ? wide(3) : Output());
    return {by.convert(y, type), means, inverses, by.convert(sum, type)};
}

// x over its norm along an axis; zeros where that is 0.
std::vector<Output> convert_lp_normalization(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::known_type(x, "X");
    const std::int64_t p = by.attribute("p", 2);
    if (p != 1 && p != 2) {
        throw ModelError("attribute 'p' is " + std::to_string(p) + "; expected 1 or 2");
    }
    const Output norm =
        by.reduce(p == 1 ? ReduceFunction::l1 : ReduceFunction::l2, x, {by.attribute("axis", -1)});
    return {by.divide(x, by.select(by.equal(norm, by.number(0, x)), by.number(1, x), norm))};
}

// The distances of the rows of two matrices, of com.microsoft.
std::vector<Output> convert_cdist(NodeContext& by) {
    const std::string metric = by.attribute("metric", "sqeuclidean");
    if (metric != "sqeuclidean" && metric != "euclidean") {
        throw UnsupportedError("attribute 'metric' is '" + metric +
                               "'; expected 'euclidean' or 'sqeuclidean'");
    }
    const Output a = by.input(0), b = by.input(1);
    NodeContext::check_shape(a, PartialShape::of_rank(2), "A");
    NodeContext::check_shape(b, PartialShape::of_rank(2), "B");
    const Output squares =
        by.apply(BinaryFunction::squared_difference, by.unsqueeze(a, {1}), by.unsqueeze(b, {0}));
    const Output sums = by.reshape(by.reduce(ReduceFunction::sum, squares, {2}), Ints{0, 0});
    return {metric == "euclidean" ? by.apply(UnaryFunction::sqrt, sums) : sums};
}

}  // namespace rondo::onnx
