// Converts normalisations of each image's channels: InstanceNormalization, GroupNormalization and
// MeanVarianceNormalization.
#include <numeric>
#include <string>

#include "core/ops/movement/reshape.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// X as [N, groups, channels of a group, ...]: refused when it runs where the groups don't divide
// the channels. X itself where that is known.
Output with_whole_groups(NodeContext& context, const Output& x, std::int64_t groups) {
    const std::size_t rank = x.shape().rank();
    if (rank == 2 || x.shape()[1].is_static()) return x;
    const Output shape = make_shape_of(context, "whole/shape", x);
    std::vector<Output> extents{make_element(context, "whole/batch", shape, 0),
                                make_ints(context, "whole/groups", {groups, -1})};
    for (std::size_t axis = 2; axis < rank; ++axis) {
        const std::string role = "whole/extent_" + std::to_string(axis);
        extents.push_back(make_element(context, role, shape, static_cast<std::int64_t>(axis)));
    }
    const Output pattern = make_concat(context, "whole/pattern", extents, 0);
    return context.make<ops::Reshape>("whole", x, pattern, false);
}

// The channels of a group and all that is behind them are one axis while they are normalised.
Output normalised_groups(NodeContext& context, const Output& x, std::int64_t groups) {
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-5F);
    const Output grouped =
        make_reshape(context, "grouped", with_whole_groups(context, x, groups), {0, groups, -1});
    return context.make<ops::Mvn>("normalised", grouped, make_ints(context, "axes", {2}),
                                  ops::MvnAttributes{epsilon});
}

Output in_shape_of(NodeContext& context, const std::string& role, const Output& value,
                   const Output& x) {
    return context.make<ops::Reshape>(role, value, make_shape_of(context, "x_shape", x));
}

std::int64_t groups_of(NodeContext& context, const Output& x) {
    const std::int64_t groups = context.attributes().find_int("num_groups").value_or(0);
    if (groups < 1) {
        throw ModelError("attribute 'num_groups' is " + std::to_string(groups) +
                         "; expected 1 or more");
    }
    const Dimension& channels = x.shape()[1];
    if (channels.is_static() && channels.length() % groups != 0) {
        throw ModelError("X has shape " + to_string(x.shape()) + " and 'num_groups' is " +
                         std::to_string(groups) + "; expected channels that it divides");
    }
    return groups;
}

}  // namespace

std::vector<Output> convert_instance_normalization(NodeContext& context) {
    skip_consumed_inputs(context);
    const std::size_t rank = rank_of_x(context.input(0), 2);
    const Output x = with_channels(context, "x_channels", context.input(0),
                                   {context.input(1), context.input(2)});
    const Output scale = make_channel_vector(context, "scale", context.input(1), x, "scale");
    const Output bias = make_channel_vector(context, "bias", context.input(2), x, "B");
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-5F);
    std::vector<std::int64_t> axes(rank - 2);
    std::iota(axes.begin(), axes.end(), 2);
    const Output normalised = context.make<ops::Mvn>(
        "normalised", x, make_ints(context, "axes", axes), ops::MvnAttributes{epsilon});
    const Output scaled =
        make_binary(context, "scaled", BinaryFunction::multiply, normalised, scale);
    return {make_binary(context, "", BinaryFunction::add, scaled, bias)};
}

// A factor and a shift for each group.
std::vector<Output> convert_group_normalization_18(NodeContext& context) {
    const Output x = context.input(0);
    rank_of_x(x, 2);
    const std::int64_t groups = groups_of(context, x);
    for (const std::size_t input : {1, 2}) {
        NodeContext::check_shape(context.input(input), {groups}, input == 1 ? "scale" : "bias");
    }
    const Output normalised = normalised_groups(context, x, groups);
    const Output scale =
        make_channel_vector(context, "scale", context.input(1), normalised, "scale");
    const Output bias = make_channel_vector(context, "bias", context.input(2), normalised, "bias");
    const Output scaled =
        make_binary(context, "scaled", BinaryFunction::multiply, normalised, scale);
    const Output sum = make_binary(context, "sum", BinaryFunction::add, scaled, bias);
    return {in_shape_of(context, "", sum, x)};
}

// A factor and a shift for each channel. Statistics have the arithmetic's type whatever stash_type
// says, which is at least as wide.
std::vector<Output> convert_group_normalization_21(NodeContext& context) {
    rank_of_x(context.input(0), 2);
    const Output x = with_channels(context, "x_channels", context.input(0),
                                   {context.input(1), context.input(2)});
    context.attributes().find_int("stash_type");
    const Output normalised =
        in_shape_of(context, "flat", normalised_groups(context, x, groups_of(context, x)), x);
    const Output scale = make_channel_vector(context, "scale", context.input(1), x, "scale");
    const Output bias = make_channel_vector(context, "bias", context.input(2), x, "bias");
    const Output scaled =
        make_binary(context, "scaled", BinaryFunction::multiply, normalised, scale);
    return {make_binary(context, "", BinaryFunction::add, scaled, bias)};
}

std::vector<Output> convert_mean_variance_normalization(NodeContext& context) {
    constexpr float kEpsilon = 1e-9F;  // of the operator's page, added to the deviation
    const auto axes =
        context.attributes().find_ints("axes").value_or(std::vector<std::int64_t>{0, 2, 3});
    return {context.make<ops::Mvn>("", context.input(0), make_ints(context, "axes", axes),
                                   ops::MvnAttributes{kEpsilon, true, ops::EpsMode::outside_sqrt})};
}

}  // namespace rondo::onnx
