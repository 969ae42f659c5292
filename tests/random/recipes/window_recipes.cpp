// Random convolutions in groups, transposed convolutions and pools.
#include "tests/random/recipes/elementwise_chain.hpp"
#include "tests/random/recipes/node_parts.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

// Some divisor of the channels, mostly all of them: a depthwise convolution.
std::size_t groups_for(ModelMaker& maker, std::size_t channels) {
    if (maker.chance(0.6)) return channels;
    auto groups = static_cast<std::size_t>(maker.number(1, static_cast<std::int64_t>(channels)));
    while (channels % groups != 0) --groups;
    return groups;
}

// Keeps the length of the last axis.
bool grouped_convolution(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const std::size_t channels = channels_of(*x), groups = groups_for(maker, channels);
    const auto own = static_cast<std::size_t>(maker.number(1, 3));
    const std::int64_t reach = maker.number(0, 2), dilation = maker.number(1, 2);
    std::vector<Value> inputs{*x, maker.weights({groups * own, channels / groups,
                                                 static_cast<std::size_t>(2 * reach + 1)})};
    if (maker.chance(0.5)) inputs.push_back(maker.weights({groups * own}));
    Extents shape = x->shape;
    shape[1] = known(static_cast<std::int64_t>(groups * own));
    const Value sums = maker.add("Conv", inputs, shape, ElementType::f32, [&](NodeBuilder& node) {
        node.with("group", static_cast<std::int64_t>(groups));
        node.with("dilations", Ints{dilation});
        node.with("pads", Ints{2 * reach * dilation, 0});
    });
    maker.bounded(elementwise_chain(maker, sums, 3));
    return true;
}

// Multiplies the last axis by the stride.
bool transposed_convolution(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x || x->last().factor > 9) return false;
    const std::size_t channels = channels_of(*x), groups = groups_for(maker, channels);
    const auto own = static_cast<std::size_t>(maker.number(1, 3));
    const std::int64_t stride = maker.number(1, 3), more = maker.number(0, 2);
    std::vector<Value> inputs{
        *x, maker.weights({channels, own, static_cast<std::size_t>(stride + more)})};
    if (maker.chance(0.5)) inputs.push_back(maker.weights({groups * own}));
    Extents shape = x->shape;
    shape[1] = known(static_cast<std::int64_t>(groups * own));
    shape[2] = shape[2] * known(stride);
    const Value sums =
        maker.add("ConvTranspose", inputs, shape, ElementType::f32, [&](NodeBuilder& node) {
            node.with("group", static_cast<std::int64_t>(groups));
            node.with("strides", Ints{stride}).with("pads", Ints{more / 2, more - more / 2});
        });
    maker.bounded(elementwise_chain(maker, sums, 3));
    return true;
}

// Keeps the length of the last axis.
bool pool(ModelMaker& maker) {
    const auto x = maker.pick(
        [&](const Value& value) { return value.rank() == 3 && maker.is_filled(value.last()); });
    if (!x) return false;
    const char* const ops[] = {"MaxPool", "AveragePool", "AveragePool"};
    const auto kind = static_cast<std::size_t>(maker.number(0, 2));
    const std::int64_t kernel = maker.number(1, 4);
    maker.add(ops[kind], {*x}, x->shape, ElementType::f32, [&](NodeBuilder& node) {
        node.with("kernel_shape", Ints{kernel});
        node.with("pads", Ints{kernel / 2, (kernel - 1) / 2});
        if (kind == 1) node.with("count_include_pad", 1);
    });
    return true;
}

bool batch_normalisation(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const Shape shape{channels_of(*x)};
    maker.bounded(maker.add("BatchNormalization",
                            {*x, maker.weights(shape), maker.weights(shape), maker.weights(shape),
                             maker.filled(shape, 0.7F)},
                            x->shape));
    return true;
}

bool layer_normalisation(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor > 1;
    });
    if (!x) return false;
    const Shape shape{static_cast<std::size_t>(x->last().factor)};
    const Value y =
        maker.add("LayerNormalization", {*x, maker.weights(shape), maker.weights(shape)}, x->shape,
                  ElementType::f32, [](NodeBuilder& node) { node.with("epsilon", 0.1F); });
    maker.bounded(elementwise_chain(maker, y, 3));
    return true;
}

}  // namespace

std::vector<Recipe> window_recipes() {
    return {grouped_convolution, transposed_convolution, pool, batch_normalisation,
            layer_normalisation};
}

}  // namespace rondo::test
