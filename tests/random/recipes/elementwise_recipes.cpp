// Random elementwise nodes: functions, arithmetic with every kind of broadcasting, integers,
// selects.
#include "frontend/onnx/ops/op_list.hpp"
#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

bool is_read(const std::string& op) { return onnx::find_converter("", op, 17) != nullptr; }

std::vector<std::string> only_read(const std::vector<std::string>& ops) {
    std::vector<std::string> found;
    for (const auto& op : ops) {
        if (is_read(op)) found.push_back(op);
    }
    return found;
}

const std::string& any_of(ModelMaker& maker, const std::vector<std::string>& ops) {
    return ops[static_cast<std::size_t>(
        maker.number(0, static_cast<std::int64_t>(ops.size()) - 1))];
}

// Functions whose slope is bounded.
bool unary(ModelMaker& maker) {
    static const auto ops =
        only_read({"Tanh", "Sigmoid", "Relu", "Neg", "Identity", "Abs", "Sin", "Cos", "Erf",
                   "Softplus", "Softsign", "HardSigmoid", "HardSwish", "LeakyRelu", "Elu", "Atan"});
    constexpr std::int64_t kMishSince = 18;
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const bool is_mish = maker.opset() >= kMishSince && maker.chance(0.1);
    maker.add(is_mish ? "Mish" : any_of(maker, ops), {*x}, x->shape);
    return true;
}

// sigmoid(x) + 0.5: between 0.5 and 1.5.
Value positive(ModelMaker& maker, const Value& x) {
    return maker.add("Add", {maker.add("Sigmoid", {x}, x.shape), maker.filled({}, 0.5F)}, x.shape);
}

bool unary_of_positive(ModelMaker& maker) {
    static const auto ops = only_read({"Sqrt", "Reciprocal", "Log", "Exp"});
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    maker.add(any_of(maker, ops), {positive(maker, *x)}, x->shape);
    return true;
}

// The same shape, a row, a column, a scalar, or one that widens x.
bool binary(ModelMaker& maker) {
    static const auto ops = only_read({"Add", "Sub", "Mul", "Max", "Min"});
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    Value other = *maker.pick_like(*x);
    Extents shape = x->shape;
    const auto kind = maker.number(0, 5);
    if (kind == 1) {
        other = maker.weights({});
    } else if (kind == 2 && x->rank() > 0 && x->last().is_known()) {
        other = maker.weights({static_cast<std::size_t>(x->last().factor)});
    } else if (kind == 3 && x->rank() >= 2 && x->shape[x->rank() - 2].is_known()) {
        other = maker.weights({static_cast<std::size_t>(x->shape[x->rank() - 2].factor), 1});
    } else if (kind == 4 && x->rank() < 4) {
        other = maker.weights(Shape(x->rank() + 1, 1));
        shape.insert(shape.begin(), known(1));
    } else if (kind == 5 && x->rank() == 2) {
        const Value column =
            maker.add("Unsqueeze", {*x, maker.ints({1})}, {x->shape[0], known(1), x->shape[1]});
        shape = {x->shape[0], x->shape[0], x->shape[1]};
        other = column;
    }
    const bool swapped = maker.chance(0.5);
    const std::vector<Value> inputs =
        swapped ? std::vector<Value>{other, *x} : std::vector<Value>{*x, other};
    maker.bounded(maker.add(any_of(maker, ops), inputs, shape));
    return true;
}

bool divide(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const Value y = *maker.pick_like(*x);
    maker.bounded(maker.add("Div", {*x, positive(maker, y)}, x->shape));
    return true;
}

// Continuous where the condition changes: x or a part of x.
bool select(ModelMaker& maker) {
    if (!is_read("Where") || !is_read("Greater")) return false;
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    static const auto ops = only_read({"Greater", "Less", "GreaterOrEqual", "LessOrEqual"});
    const Value zero = maker.filled({}, 0);
    const Value condition =
        maker.add(any_of(maker, ops), {*x, zero}, x->shape, ElementType::boolean);
    const Value part = maker.add("Mul", {*x, maker.weights({})}, x->shape);
    maker.add("Where", {condition, *x, part}, x->shape);
    return true;
}

bool clip(ModelMaker& maker) {
    if (!is_read("Clip")) return false;
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const Value bound = maker.add("Sigmoid", {maker.weights({})}, {});
    maker.add("Clip", {*x, maker.add("Neg", {bound}, {}), bound}, x->shape);
    return true;
}

// Exact: integers of an input.
bool integers(ModelMaker& maker) {
    static const auto ops = only_read({"Add", "Sub", "Mul"});
    const auto x =
        maker.pick([](const Value& value) { return value.rank() == 2; }, ElementType::i64);
    if (!x) return false;
    const Value shifted = maker.add(any_of(maker, ops), {*x, maker.int_scalar(maker.number(-3, 3))},
                                    x->shape, ElementType::i64);
    const Value floats = maker.add("Cast", {shifted}, x->shape, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    const Value small = maker.add("Mul", {floats, maker.filled({}, 0.1F)}, x->shape);
    maker.hide(floats);  // they may be large
    maker.hide(small);
    maker.bounded(small);
    return true;
}

}  // namespace

std::vector<Recipe> elementwise_recipes() {
    return {unary, unary, unary_of_positive, binary, binary, divide, select, clip, integers};
}

}  // namespace rondo::test
