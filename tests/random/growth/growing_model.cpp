#include "tests/random/growth/growing_model.hpp"

#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "tests/random/body_nodes.hpp"
#include "tests/random/greedy_decoder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

// A loop-carried list.
struct List {
    Value value;
    std::int64_t rank = 1;
    std::int64_t axis = 0;  // along which it grows
    std::int64_t least = 0;
    bool in_front = false;
    bool on_condition = false;
    bool of_data = false;  // the parts' extents depend on elements
};

// One way to read a list of floats; the result has the shape [], [W] or [1,W].
using Read = Value (*)(Nodes& nodes, const List& list);

Value last_part(Nodes& nodes, const List& list) {
    const std::int64_t at = list.least > 0 ? nodes.maker().number(-1, 0) : 0;
    if (list.least == 0) return nodes.sum(list.value);
    return nodes.along("Gather", {list.value, nodes.maker().int_scalar(at)}, list.axis);
}

Value last_parts(Nodes& nodes, const List& list) {
    ModelMaker& maker = nodes.maker();
    const bool from_end = maker.chance(0.5);
    const std::int64_t end = from_end ? std::numeric_limits<std::int64_t>::max() : 3;
    const Value part = nodes.op("Slice", {list.value, maker.ints({from_end ? -2 : 0}),
                                          maker.ints({end}), maker.ints({list.axis})});
    return nodes.sum(part);
}

Value greatest(Nodes& nodes, const List& list) {
    const Value most = nodes.op("ReduceMax", {list.value}, [&](NodeBuilder& node) {
        node.with("axes", Ints{list.axis}).with("keepdims", 0);
    });
    return nodes.sum(nodes.op("Tanh", {most}));
}

Value attention(Nodes& nodes, const List& list) {
    const Value scores = nodes.op("Tanh", {list.value});
    const Value weights = nodes.along("Softmax", {scores}, list.axis);
    const Value mixed = nodes.op("Mul", {weights, list.value});
    const Value sums = nodes.op("ReduceSum", {mixed, nodes.maker().ints({list.axis})},
                                [](NodeBuilder& node) { node.with("keepdims", 0); });
    return nodes.op("Tanh", {sums});
}

Value product(Nodes& nodes, const List& list) {
    const Value column = nodes.op("Reshape", {list.value, nodes.maker().ints({-1, 1})});
    const Value row = nodes.op("Reshape", {list.value, nodes.maker().ints({1, -1})});
    return nodes.sum(nodes.op("MatMul", {row, column}));
}

Value number_of_parts(Nodes& nodes, const List& list) {
    return nodes.small(nodes.floats(nodes.length(list.value, list.axis)));
}

Value expanded(Nodes& nodes, const List& list) {
    const Value shape = nodes.op("Shape", {list.value}, {}, ElementType::i64);
    const Value ones = nodes.op("Expand", {nodes.maker().filled({1}, 0.25F), shape});
    return nodes.sum(nodes.op(
        "Where",
        {nodes.op("Greater", {list.value, ones}, {}, ElementType::boolean), list.value, ones}));
}

Value running_sum(Nodes& nodes, const List& list) {
    const Value sums = nodes.op("CumSum", {list.value, nodes.maker().int_scalar(list.axis)});
    return nodes.sum(nodes.small(sums));
}

Value doubled(Nodes& nodes, const List& list) {
    const Value twice = nodes.along("Concat", {list.value, list.value}, list.axis);
    return nodes.sum(nodes.op("Reshape", {twice, nodes.maker().ints({-1})}));
}

// Ranges up to a length that depends on the list.
Value numbered(Nodes& nodes, const List& list) {
    ModelMaker& maker = nodes.maker();
    const Value numbers = nodes.op(
        "Range", {maker.int_scalar(0), nodes.length(list.value, list.axis), maker.int_scalar(1)},
        {}, ElementType::i64);
    return nodes.sum(nodes.floats(numbers));
}

Value chosen(Nodes& nodes, const List& list) {
    const Value many =
        nodes.op("Greater", {nodes.length(list.value, list.axis), nodes.maker().int_scalar(4)}, {},
                 ElementType::boolean);
    return choice(
        nodes, many, ElementType::f32, [&](Nodes& own) { return greatest(own, list); },
        [&](Nodes& own) { return own.sum(list.value); });
}

// A loop over the last parts.
Value walked(Nodes& nodes, const List& list) {
    ModelMaker& maker = nodes.maker();
    const Value count = nodes.op("Min", {nodes.length(list.value, list.axis), maker.int_scalar(3)},
                                 {}, ElementType::i64);
    RandomBody body(maker);
    Nodes own(body.maker());
    const Value number = body.maker().add_parameter({"", ElementType::i64, {}, true});
    const Value goes_on = body.maker().add_parameter({"", ElementType::boolean, {}});
    const Value total = body.maker().add_parameter({"", ElementType::f32, {}});
    body.add_result(goes_on);
    const Value part = own.along("Gather", {list.value, number}, list.axis);
    body.add_result(
        own.op("Add", {own.op("Mul", {total, body.maker().filled({}, 0.5F)}), own.sum(part)}));
    maker.set_last_name(body.maker().last_name());
    return nodes.op("Loop", {count, maker.flag(true), maker.filled({}, 0)},
                    [&](NodeBuilder& node) { node.with("body", body.graph()); });
}

constexpr Read kReads[] = {last_part, last_parts,  greatest, attention, product, number_of_parts,
                           expanded,  running_sum, doubled,  numbered,  chosen,  walked};

// A loop whose state of W numbers depends on the lists.
class GrowingLoop {
public:
    GrowingLoop(ModelMaker& maker, std::int64_t width) : maker_(maker), width_(width) {}

    void make(const Value& trips, const Value& frames) {
        const auto wide = static_cast<std::size_t>(width_);
        inputs_ = {trips, maker_.chance(0.5) ? Value{} : maker_.flag(true), maker_.weights({wide})};
        for (std::int64_t i = maker_.number(1, 3); i > 0; --i) lists_.push_back(new_list());
        RandomBody body(maker_);
        Nodes nodes(body.maker());
        const Value number = body.maker().add_parameter({"", ElementType::i64, {}, true});
        const Value goes_on = body.maker().add_parameter({"", ElementType::boolean, {}});
        const Value state = hidden_parameter(body, ElementType::f32);
        for (List& list : lists_) list.value = hidden_parameter(body, list.value.type);
        const Value frame = nodes.along("Gather", {frames, number}, 0);
        body.add_result(goes_on);
        std::vector<Value> grown;
        for (const List& list : lists_) grown.push_back(grow(nodes, list, frame, number));
        Value next = nodes.op("Add", {nodes.op("Mul", {state, half(nodes)}), frame});
        for (const List& list : lists_) next = nodes.op("Add", {next, read(nodes, list)});
        next = nodes.op("Reshape", {nodes.op("Tanh", {next}), nodes.maker().ints({width_})});
        next.hidden = true;
        body.add_result(next);
        for (Value& list : grown) {
            list.hidden = true;
            body.add_result(list);
        }
        Value each = nodes.op("Mul", {next, half(nodes)});
        each.hidden = true;
        body.add_result(each);
        maker_.set_last_name(body.maker().last_name());
        const std::vector<Extents> shapes(lists_.size() + 2);
        auto made = maker_.add_all("Loop", inputs_, shapes, ElementType::f32,
                                   [&](NodeBuilder& node) { node.with("body", body.graph()); });
        for (std::size_t i = 0; i < lists_.size(); ++i) made[i + 1].type = lists_[i].value.type;
        results = std::move(made);
    }

    std::vector<Value> results;

private:
    static Value half(Nodes& nodes) { return nodes.maker().filled({}, 0.5F); }

    static Value hidden_parameter(RandomBody& body, ElementType type) {
        Value value{"", type, {}};
        value.hidden = true;
        return body.maker().add_parameter(value);
    }

    List new_list() {
        List list;
        list.rank = maker_.number(1, 3);
        list.axis = list.rank == 1 ? 0 : maker_.number(list.rank - 2, list.rank - 1);
        list.least = maker_.number(0, 2);
        list.in_front = maker_.chance(0.3);
        list.on_condition = maker_.chance(0.4);
        list.of_data = list.rank == 1 && maker_.chance(0.4);
        const bool of_ints = list.rank == 1 && maker_.chance(0.3);
        list.value.type = of_ints ? ElementType::i64 : ElementType::f32;
        Shape shape(static_cast<std::size_t>(list.rank), 1);
        shape.back() = static_cast<std::size_t>(width_);
        if (list.rank > 1 && list.axis == list.rank - 1) {
            std::swap(shape.back(), shape[shape.size() - 2]);
        }
        shape[static_cast<std::size_t>(list.axis)] = static_cast<std::size_t>(list.least);
        inputs_.push_back(
            maker_.constant(random_tensor(list.value.type, shape, maker_.rng(), -1, 1)));
        return list;
    }

    // [1], [1,W], [W,1], [1,1,W], [1,W,1], or a vector whose length is found.
    Value part(Nodes& nodes, const List& list, const Value& frame, const Value& number) {
        ModelMaker& own = nodes.maker();
        const bool of_ints = list.value.type == ElementType::i64;
        if (list.of_data) {
            const Value positive =
                nodes.op("Greater", {frame, own.filled({}, 0)}, {}, ElementType::boolean);
            if (!of_ints) return nodes.op("Compress", {frame, positive});
            return nodes.op("Reshape",
                            {nodes.op("NonZero", {positive}, {}, ElementType::i64), own.ints({-1})},
                            {}, ElementType::i64);
        }
        if (of_ints) return nodes.op("Reshape", {number, own.ints({1})}, {}, ElementType::i64);
        if (list.rank == 1) {
            return nodes.op("Slice", {frame, own.ints({0}), own.ints({1}), own.ints({0})});
        }
        Ints shape(static_cast<std::size_t>(list.rank), 1);
        shape[static_cast<std::size_t>(list.axis == list.rank - 1 ? list.rank - 2
                                                                  : list.rank - 1)] = width_;
        return nodes.op("Reshape", {frame, own.ints(shape)});
    }

    Value grow(Nodes& nodes, const List& list, const Value& frame, const Value& number) {
        const auto joined = [&](Nodes& own) {
            const Value more = part(own, list, frame, number);
            const std::vector<Value> inputs = list.in_front ? std::vector<Value>{more, list.value}
                                                            : std::vector<Value>{list.value, more};
            return own.along("Concat", inputs, list.axis, list.value.type);
        };
        if (!list.on_condition) return joined(nodes);
        const Value first = nodes.along("Gather", {frame, nodes.maker().int_scalar(0)}, 0);
        const Value grows =
            nodes.op("Greater", {first, nodes.maker().filled({}, -0.3F)}, {}, ElementType::boolean);
        return choice(nodes, grows, list.value.type, joined, [&](Nodes& own) {
            return own.op("Identity", {list.value}, {}, list.value.type);
        });
    }

    Value read(Nodes& nodes, const List& list) {
        if (maker_.chance(0.15)) return half(nodes);
        List floats = list;
        if (list.value.type == ElementType::i64) floats.value = nodes.floats(list.value);
        const auto kind = static_cast<std::size_t>(maker_.number(0, std::size(kReads) - 1));
        const Value value = kReads[kind](nodes, floats);
        return nodes.sum(value);
    }

    ModelMaker& maker_;
    std::int64_t width_;
    std::vector<Value> inputs_;
    std::vector<List> lists_;
};

}  // namespace

RandomModel growing_model(std::uint64_t seed, const std::vector<std::int64_t>& iterations) {
    Rng rng(seed * 2654435761U + 71);
    ModelMaker maker(rng);
    const std::int64_t width = maker.number(2, 6);
    const Value trips = maker.add_input("trips", ElementType::i64, {});
    const Value frames = maker.add_input("frames", ElementType::f32, {kT, known(width)});
    std::vector<Value> results;
    if (seed % 4 == 3) {
        results = greedy_decoder(maker, width, trips, frames);
    } else {
        GrowingLoop loop(maker, width);
        loop.make(trips, frames);
        results = std::move(loop.results);
    }
    RandomModel model;
    for (const Value& result : results) {
        auto& info = *maker.model().graph().add_output();
        info.set_name(result.name);
        info.mutable_type()->mutable_tensor_type()->set_elem_type(to_onnx(result.type));
        model.outputs.push_back(result.name);
    }
    for (auto& input : *maker.model().graph().mutable_input()) {
        auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
        for (auto& extent : *shape.mutable_dim()) extent.clear_dim_param();
    }
    model.bytes = maker.model().bytes();
    for (const std::int64_t count : iterations) {
        model.runs.push_back({1, count, 1});
        const Shape shape{static_cast<std::size_t>(count), static_cast<std::size_t>(width)};
        model.inputs.push_back({{"trips", scalar_of<std::int64_t>(count)},
                                {"frames", random_tensor(ElementType::f32, shape, rng, -1, 1)}});
    }
    return model;
}

}  // namespace rondo::test
