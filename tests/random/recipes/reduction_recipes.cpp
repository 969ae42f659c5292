// Random reductions, softmax and normalisations.
#include "frontend/onnx/ops/op_list.hpp"
#include "tests/random/recipes/elementwise_chain.hpp"

namespace rondo::test {
namespace {

bool softmax(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const std::int64_t axis = maker.number(-1, static_cast<std::int64_t>(x->rank()) - 1);
    const bool is_log = maker.chance(0.3);
    const Value result =
        maker.add(is_log ? "LogSoftmax" : "Softmax", {elementwise_chain(maker, *x, 3)}, x->shape,
                  ElementType::f32, [&](NodeBuilder& node) { node.with("axis", axis); });
    if (is_log) maker.bounded(result);
    return true;
}

// The last axis, as an attribute before opset 18.
Value add_last_axis_reduction(ModelMaker& maker, const std::string& op, const Value& x,
                              const Extents& shape, bool keeps) {
    const bool has_input = maker.opset() >= 18;
    std::vector<Value> inputs{x};
    if (has_input) inputs.push_back(maker.ints({-1}));
    return maker.add(op, inputs, shape, ElementType::f32, [&](NodeBuilder& node) {
        if (!has_input) node.with("axes", std::vector<std::int64_t>{-1});
        node.with("keepdims", keeps ? 1 : 0);
    });
}

// Reductions over an axis that is never empty.
bool reduce(ModelMaker& maker) {
    static const std::vector<std::string> ops = [] {
        std::vector<std::string> found;
        for (const char* op : {"ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1"}) {
            if (onnx::find_converter("", op, 17) != nullptr) found.emplace_back(op);
        }
        return found;
    }();
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const bool keep = maker.chance(0.5);
    Extents shape = x->shape;
    if (keep) {
        shape.back() = known(1);
    } else {
        shape.pop_back();
    }
    const auto& op =
        ops[static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(ops.size()) - 1))];
    const Value data = elementwise_chain(maker, *x, 3);
    maker.bounded(add_last_axis_reduction(maker, op, data, shape, keep));
    return true;
}

// It takes numbers from 0.5 to 1.5, where logarithms and roots have bounded slopes.
bool reduce_positive(ModelMaker& maker) {
    const char* const ops[] = {"ReduceL2",   "ReduceLogSum", "ReduceLogSumExp",
                               "ReduceProd", "ReduceSum",    "ReduceSumSquare"};
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const bool keep = maker.chance(0.5);
    Extents shape = x->shape;
    shape.back() = known(1);
    if (!keep) shape.pop_back();
    const Value data =
        maker.add("Add", {maker.add("Sigmoid", {*x}, x->shape), maker.filled({}, 0.5F)}, x->shape);
    const std::string op = ops[maker.number(0, 5)];
    const Value y = op == "ReduceSum"
                        ? maker.add(op, {data, maker.ints({-1})}, shape, ElementType::f32,
                                    [&](NodeBuilder& node) { node.with("keepdims", keep ? 1 : 0); })
                        : add_last_axis_reduction(maker, op, data, shape, keep);
    maker.bounded(maker.add("Mul", {y, maker.filled({}, 0.1F)}, shape));
    return true;
}

// The last axis: a constant, or a number that comes with the run.
Value last_axis(ModelMaker& maker) {
    const auto k = maker.pick([](const Value& value) { return value.holds_k && value.rank() == 1; },
                              ElementType::i64);
    if (!k || maker.chance(0.3)) return maker.ints({-1});
    const Value zero = maker.add("Mul", {*k, maker.int_scalar(0)}, k->shape, k->type);
    return maker.add("Sub", {zero, maker.int_scalar(1)}, k->shape, k->type);
}

// Reductions of booleans, which the operators take since opset 20.
bool reduce_flags(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) { return value.exact && value.rank() >= 1; });
    if (!x || maker.opset() < 20) return false;
    const Value flags =
        maker.add("Greater", {*x, maker.filled({}, 0.1F)}, x->shape, ElementType::boolean);
    const bool keep = maker.chance(0.6);
    Extents shape = x->shape;
    shape.back() = known(1);
    if (!keep) shape.pop_back();
    const Value any = maker.add(maker.chance(0.5) ? "ReduceMax" : "ReduceMin",
                                {flags, last_axis(maker)}, shape, ElementType::boolean,
                                [&](NodeBuilder& node) { node.with("keepdims", keep ? 1 : 0); });
    maker.add("Cast", {any}, shape, ElementType::f32,
              [](NodeBuilder& node) { node.with("to", 1); });
    return true;
}

bool cum_sum(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const std::int64_t axis = maker.number(-1, static_cast<std::int64_t>(x->rank()) - 1);
    maker.bounded(maker.add(
        "CumSum", {maker.bounded(*x), maker.int_scalar(axis)}, x->shape, ElementType::f32,
        [&](NodeBuilder& node) {
            node.with("exclusive", maker.number(0, 1)).with("reverse", maker.number(0, 1));
        }));
    return true;
}

// LayerNormalization as exporters wrote it before the operator existed.
bool written_out_normalisation(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor > 1;
    });
    if (!x) return false;
    const auto mean = [&](const Value& of) {
        Extents shape = of.shape;
        shape.back() = known(1);
        return add_last_axis_reduction(maker, "ReduceMean", of, shape, true);
    };
    const Value centred = maker.add("Sub", {*x, mean(*x)}, x->shape);
    const Value variance = mean(maker.add("Pow", {centred, maker.filled({}, 2)}, x->shape));
    const Value spread =
        maker.add("Sqrt", {maker.add("Add", {variance, maker.filled({}, 0.1F)}, variance.shape)},
                  variance.shape);
    maker.bounded(maker.add("Div", {centred, spread}, x->shape));
    return true;
}

}  // namespace

std::vector<Recipe> reduction_recipes() {
    return {softmax, cum_sum, reduce, reduce_positive, reduce_flags, written_out_normalisation};
}

}  // namespace rondo::test
