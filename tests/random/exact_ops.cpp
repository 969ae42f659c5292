#include "tests/random/exact_ops.hpp"

#include <algorithm>

namespace rondo::test {
namespace {

bool is_listed(const std::set<std::string>& ops, const std::string& op) {
    return ops.find(op) != ops.end();
}

// keep-sorted
const std::set<std::string>& exact_ops() {
    static const std::set<std::string> ops{
        "Abs",
        "Add",
        "And",
        "ArgMax",
        "ArgMin",
        "BitCast",
        "BitShift",
        "BitwiseAnd",
        "BitwiseNot",
        "BitwiseOr",
        "BitwiseXor",
        "Cast",
        "CastLike",
        "Ceil",
        "CenterCropPad",
        "Clip",
        "Compress",
        "Concat",
        "Constant",
        "ConstantOfShape",
        "ConvInteger",
        "DepthToSpace",
        "DequantizeLinear",
        "Div",
        "DynamicQuantizeLinear",
        "Equal",
        "Expand",
        "ExpandDims",
        "EyeLike",
        "Flatten",
        "Floor",
        "Gather",
        "GatherElements",
        "GatherND",
        "Greater",
        "GreaterOrEqual",
        "Hardmax",
        "Identity",
        "IsInf",
        "IsNaN",
        "Less",
        "LessOrEqual",
        "MatMulInteger",
        "Max",
        "MaxPool",
        "Min",
        "Mod",
        "Mul",
        "Neg",
        "NhwcMaxPool",
        "NonZero",
        "Not",
        "OneHot",
        "Or",
        "Pad",
        "QLinearConcat",
        "QLinearConv",
        "QLinearMatMul",
        "QuantizeLinear",
        "Range",
        "ReduceMax",
        "ReduceMin",
        "Relu",
        "Reshape",
        "ReverseSequence",
        "Round",
        "ScatterElements",
        "ScatterND",
        "Sign",
        "Slice",
        "SpaceToDepth",
        "Split",
        "Squeeze",
        "Sub",
        "TensorScatter",
        "Tile",
        "TopK",
        "Transpose",
        "Trilu",
        "Unique",
        "Unsqueeze",
        "Where",
        "Xor",
    };
    return ops;
}

}  // namespace

bool keeps_exactness(const std::string& op) { return is_listed(exact_ops(), op); }

bool reads_shape_alone(const std::string& op) { return op == "Shape" || op == "Size"; }

std::set<std::string> exact_values(const rondo_onnx::GraphProto& graph) {
    std::set<std::string> exact{""};  // an input that was left out
    for (const auto& input : graph.input()) exact.insert(input.name());
    for (const auto& initializer : graph.initializer()) exact.insert(initializer.name());
    for (const auto& node : graph.node()) {
        const bool of_exact = std::all_of(node.input().begin(), node.input().end(),
                                          [&](const auto& name) { return exact.count(name) > 0; });
        const bool is_exact =
            reads_shape_alone(node.op_type()) || (of_exact && keeps_exactness(node.op_type()));
        if (is_exact) exact.insert(node.output().begin(), node.output().end());
    }
    return exact;
}

}  // namespace rondo::test
