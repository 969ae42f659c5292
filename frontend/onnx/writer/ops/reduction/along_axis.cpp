// Writes what walks along one axis: SoftMax, LogSoftmax, CumSum, CumProd, TopK.
#include "core/ops/reduction/cum_sum.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/reduction/writers.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kCumProdSince = 26;

// Sorted by their places: the places themselves in ascending order, and the elements there.
void sort_by_index(WriteContext& context, const std::string& k, Names& outputs) {
    const auto axis = context.op<ops::TopK>().attributes().axis;
    const NewNode places = context.emit("TopK", {outputs[1], k}, 2)
                               .with_int("axis", axis)
                               .with_int("largest", 0)
                               .with_int("sorted", 1);
    outputs[0] =
        context.emit("GatherElements", {context.input(0), places.output(0)}).with_int("axis", axis);
    outputs[1] = places.output(0);
}

}  // namespace

Names write_softmax(WriteContext& context) {
    const bool is_log = context.node().type_name() == "LogSoftmax";
    return {context.emit(is_log ? "LogSoftmax" : "Softmax", {context.input(0)})
                .with_int("axis", context.op<ops::SoftmaxBase>().axis())};
}

Names write_cumulation(WriteContext& context) {
    const auto& options = context.op<ops::Cumulation>().options();
    const bool is_sum = context.node().type_name() == "CumSum";
    if (!is_sum) context.require_opset(kCumProdSince);
    const ElementType type = type_of_sums(context.type(0));
    std::string axis = context.input_as(1, ElementType::i64);
    if (!context.shape(1).has_rank() || context.shape(1).rank() != 0) {
        axis = context.reshape(axis, {});
    }
    NewNode node = context.emit(is_sum ? "CumSum" : "CumProd", {context.input_as(0, type), axis});
    node.with_int("exclusive", options.exclusive ? 1 : 0);
    node.with_int("reverse", options.reverse ? 1 : 0);
    return {context.cast(node, type, context.type(0))};
}

Names write_top_k(WriteContext& context) {
    const ops::TopKAttributes& attributes = context.op<ops::TopK>().attributes();
    const std::string k = context.reshape(context.input_as(1, ElementType::i64), {1});
    Names outputs = context.emit("TopK", {context.input(0), k}, 2)
                        .with_int("axis", attributes.axis)
                        .with_int("largest", attributes.mode == ops::TopKMode::max ? 1 : 0)
                        .with_int("sorted", 1)
                        .outputs();
    if (attributes.sort == ops::TopKSort::index) sort_by_index(context, k, outputs);
    outputs[1] = context.cast(outputs[1], ElementType::i64, attributes.index_type);
    return outputs;
}

}  // namespace rondo::onnx
