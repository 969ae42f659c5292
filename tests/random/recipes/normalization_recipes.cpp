// Random normalisations, and pools of powers.
#include "tests/random/recipes/node_parts.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kGroupsByChannel = 21;
constexpr std::int64_t kRmsSince = 23;

bool local_response(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const Extents shape{x->shape[0], x->shape[1], known(1), x->shape[2]};
    const Value image = maker.add("Unsqueeze", {*x, maker.ints({2})}, shape);
    maker.bounded(maker.add("LRN", {image}, shape, ElementType::f32, [&](NodeBuilder& node) {
        node.with("size", 2 * maker.number(0, 2) + 1).with("alpha", 0.3F).with("beta", 0.6F);
    }));
    return true;
}

// Mostly keeps the length of the last axis.
bool pool_of_powers(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const std::int64_t kernel = maker.number(1, 4);
    const bool halves = x->last().is_known() && x->last().factor % 2 == 0 && kernel % 2 == 0;
    Extents shape = x->shape;
    if (halves) shape.back() = known(x->last().factor / 2);
    maker.bounded(maker.add("LpPool", {*x}, shape, ElementType::f32, [&](NodeBuilder& node) {
        node.with("kernel_shape", Ints{kernel}).with("p", maker.number(1, 3));
        if (halves) {
            node.with("strides", Ints{2}).with("pads", Ints{kernel / 2 - 1, kernel / 2 - 1});
        } else {
            node.with("pads", Ints{kernel / 2, (kernel - 1) / 2});
        }
    }));
    return true;
}

bool instances(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const Shape shape{channels_of(*x)};
    maker.bounded(maker.add(
        "InstanceNormalization", {*x, maker.weights(shape), maker.weights(shape)}, x->shape,
        ElementType::f32, [](NodeBuilder& node) { node.with("epsilon", 0.1F); }));
    return true;
}

bool groups(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x || maker.opset() < kGroupsByChannel) return false;
    const Shape shape{channels_of(*x)};
    const std::int64_t count = channels_of(*x) % 2 == 0 ? 2 : 1;
    maker.bounded(maker.add("GroupNormalization", {*x, maker.weights(shape), maker.weights(shape)},
                            x->shape, ElementType::f32, [&](NodeBuilder& node) {
                                node.with("epsilon", 0.1F).with("num_groups", count);
                            }));
    return true;
}

bool root_mean_squares(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x || maker.opset() < kRmsSince) return false;
    maker.bounded(maker.add(
        "RMSNormalization", {*x, maker.weights({static_cast<std::size_t>(x->last().factor)})},
        x->shape, ElementType::f32, [](NodeBuilder& node) { node.with("epsilon", 0.1F); }));
    return true;
}

// Elements far from 0, so that no norm is.
bool norms(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const Value away = maker.add("Add", {maker.bounded(*x), maker.filled({}, 1.5F)}, x->shape);
    const std::int64_t axis = maker.number(-1, static_cast<std::int64_t>(x->rank()) - 1);
    maker.add("LpNormalization", {away}, x->shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("axis", axis).with("p", maker.number(1, 2)); });
    return true;
}

}  // namespace

std::vector<Recipe> normalization_recipes() {
    return {local_response, pool_of_powers, instances, groups, root_mean_squares, norms};
}

}  // namespace rondo::test
