#include "tests/random/random_model.hpp"

#include <algorithm>
#include <iterator>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

void add_inputs(ModelMaker& maker, bool bodies) {
    const auto width = [&] { return known(maker.number(1, 8)); };
    const auto input = [&](const std::string& name, const Extents& shape) {
        maker.add_input(name, ElementType::f32, shape);
    };
    if (maker.inputs().empty() && maker.chance(0.8)) input("x", {kT, kN, width()});
    if (maker.chance(0.4)) input("channels", {kN, width(), kT});
    if (maker.chance(0.3)) input("batch_first", {kN, kT, width()});
    if (maker.chance(0.3)) maker.add_input("ids", ElementType::i64, {kN, kT});
    if (maker.chance(bodies ? 0.7 : 0.2)) maker.add_input("k", ElementType::i64, {known(1)});
    input("rows", {kN, width()});
}

// Integers and booleans are compared by bits; NumPy has no bf16.
bool may_be_output(const Value& value) {
    if (value.type == ElementType::dynamic || value.type == ElementType::bf16) return false;
    return value.exact || is_floating(value.type);
}

// The newest value, and a few others, which may be read by nodes too; some under two names.
std::vector<std::string> add_outputs(ModelMaker& maker) {
    std::vector<Value> all;
    std::copy_if(maker.values().begin(), maker.values().end(), std::back_inserter(all),
                 may_be_output);
    std::vector<Value> chosen{all.back()};
    const auto last = static_cast<std::int64_t>(all.size()) - 1;
    for (std::int64_t i = maker.number(0, 6); i > 0; --i) {
        chosen.push_back(all[static_cast<std::size_t>(maker.number(0, last))]);
    }
    std::vector<std::string> names;
    for (const auto& value : chosen) {
        const bool is_input = std::any_of(maker.inputs().begin(), maker.inputs().end(),
                                          [&](const Value& in) { return in.name == value.name; });
        const bool taken = std::find(names.begin(), names.end(), value.name) != names.end();
        const Value output =
            is_input || taken ? maker.add("Identity", {value}, value.shape, value.type) : value;
        names.push_back(output.name);
        auto& info = *maker.model().graph().add_output();
        info.set_name(output.name);
        info.mutable_type()->mutable_tensor_type()->set_elem_type(to_onnx(output.type));
    }
    return names;
}

// Open extents without a name: equal names would say that the extents are equal.
void forget_names_of_extents(rondo_onnx::GraphProto& graph) {
    for (auto& input : *graph.mutable_input()) {
        auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
        for (auto& extent : *shape.mutable_dim()) extent.clear_dim_param();
    }
}

// The third run has one extent of the first.
std::vector<Sizes> random_sizes(ModelMaker& maker, std::int64_t most_rows) {
    std::vector<Sizes> sizes;
    for (int run = 0; run < 3; ++run) {
        sizes.push_back({maker.number(1, most_rows), maker.number(1, 7), maker.number(1, 3)});
    }
    if (sizes[0].n == sizes[1].n) sizes[1].n = sizes[0].n % most_rows + 1;
    if (sizes[0].t == sizes[1].t) sizes[1].t = sizes[0].t % 7 + 1;
    sizes[2].n = sizes[0].n;
    return sizes;
}

Tensor random_input(ModelMaker& maker, const Value& input, const Sizes& sizes) {
    if (input.name == "k") return tensor_of<std::int64_t>({1}, {sizes.k});
    const Shape shape = shape_at(input.shape, sizes);
    if (input.type == ElementType::i64) return random_tensor(input.type, shape, maker.rng(), 0, 9);
    return random_tensor(input.type, shape, maker.rng(), -1, 1);
}

// Which of N and T are 0 in the second run.
struct Empty {
    bool n = false;
    bool t = false;
};

Empty random_empty(std::uint64_t seed, Rng& rng) {
    if (seed / 4 % 4 != 3) return {};
    const auto kind = uniform_int(rng, 0, 4);
    return {kind < 2 || kind == 4, kind >= 2};
}

std::int64_t opset_of(std::uint64_t seed) {
    if (seed % 4 < 2) return 17;
    return seed / 16 % 8 == 5 ? 28 : 23;
}

std::size_t count_nodes(const rondo_onnx::GraphProto& graph) {
    std::size_t count = 0;
    for (const auto& node : graph.node()) {
        ++count;
        for (const auto& attribute : node.attribute()) count += count_nodes(attribute.g());
    }
    return count;
}

void fill(ModelMaker& maker, bool bodies) {
    add_inputs(maker, bodies);
    if (!bodies) return add_nodes(maker, maker.number(3, 14), false);
    add_nodes(maker, maker.number(0, 3), false);
    add_body(maker);
    add_nodes(maker, maker.number(0, 5), true);
}

// Values of several ranks, of which at least one has N and one has T.
void fill_with_shapes(ModelMaker& maker, bool) {
    const auto width = [&] { return known(maker.number(1, 4)); };
    const auto input = [&](const std::string& name, const Extents& shape) {
        maker.add_input(name, ElementType::f32, shape);
    };
    if (maker.chance(0.5)) {
        input("x", {kT, kN, width()});
    } else {
        input("batch_first", {kN, kT, width()});
    }
    if (maker.chance(0.7)) maker.add_input("ids", ElementType::i64, {kN, kT});
    if (maker.chance(0.4)) input("channels", {kN, width(), kT});
    if (maker.chance(0.3)) input("image", {kN, width(), kT, width()});
    if (maker.chance(0.3)) input("rows", {kN, width()});
    if (maker.chance(0.2)) input("fixed", {known(maker.number(2, 3)), kT, width()});
    if (maker.chance(0.3)) add_nodes(maker, 1, false);
    add_shape_nodes(maker, maker.number(1, 5));
    if (maker.chance(0.3)) add_nodes(maker, 1, false);
}

// Recurrent layers of constant weights, and a little around them.
void fill_with_layers(ModelMaker& maker, bool bodies) {
    const bool wide = maker.chance(0.4);  // so that tiles and chains are filled
    if (wide) maker.set_layer_sizes({70, 140});
    maker.add_input("x", ElementType::f32, {kT, kN, known(maker.number(1, wide ? 70 : 16))});
    add_inputs(maker, bodies);
    add_layers(maker, maker.number(1, 3));
    if (bodies) add_body(maker);
    add_nodes(maker, maker.number(0, 4), bodies);
}

// How models of a kind are filled, and how large they are.
struct Kind {
    void (*fill)(ModelMaker& maker, bool bodies);
    std::size_t most_nodes;
    std::int64_t most_rows = 5;  // of a batch
};

constexpr Kind kOrdinary{fill, kMostNodes};
constexpr Kind kOfShapes{fill_with_shapes, kMostShapeNodes};
constexpr Kind kOfLayers{fill_with_layers, kMostShapeNodes, 40};

// The first draw that has the right number of nodes.
RandomModel draw(Rng& rng, std::uint64_t seed, const Kind& kind) {
    ModelMaker maker(rng, opset_of(seed));
    const Empty empty = random_empty(seed, rng);
    maker.allow_empty(empty.n, empty.t);
    kind.fill(maker, seed % 2 == 1);
    RandomModel model;
    model.outputs = add_outputs(maker);
    const std::size_t nodes = count_nodes(maker.model().graph());
    if (nodes < kLeastNodes || nodes > kind.most_nodes) return draw(rng, seed, kind);
    forget_names_of_extents(maker.model().graph());
    model.bytes = maker.model().bytes();
    model.runs = random_sizes(maker, kind.most_rows);
    if (empty.n) model.runs[1].n = 0;
    if (empty.t) model.runs[1].t = 0;
    for (const auto& sizes : model.runs) {
        auto& inputs = model.inputs.emplace_back();
        for (const auto& input : maker.inputs()) {
            inputs.push_back({input.name, random_input(maker, input, sizes)});
        }
    }
    return model;
}

}  // namespace

RandomModel random_model(std::uint64_t seed) {
    Rng rng(seed * 2654435761U + 17);
    return draw(rng, seed, kOrdinary);
}

RandomModel random_shape_model(std::uint64_t seed) {
    Rng rng(seed * 2654435761U + 38);
    return draw(rng, seed, kOfShapes);
}

RandomModel random_layer_model(std::uint64_t seed) {
    Rng rng(seed * 2654435761U + 59);
    return draw(rng, seed, kOfLayers);
}

}  // namespace rondo::test
