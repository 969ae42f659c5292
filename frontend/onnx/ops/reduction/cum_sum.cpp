// Converts CumSum and CumProd.
#include "core/ops/reduction/cum_sum.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
std::vector<Output> cumulation(NodeContext& context) {
    ops::Cumulation::Options options;
    options.exclusive = context.attributes().flag("exclusive", false);
    options.reverse = context.attributes().flag("reverse", false);
    return {context.make<T>("", context.input(0), context.input(1), options)};
}

}  // namespace

std::vector<Output> convert_cum_prod(NodeContext& context) {
    return cumulation<ops::CumProd>(context);
}

std::vector<Output> convert_cum_sum(NodeContext& context) {
    return cumulation<ops::CumSum>(context);
}

}  // namespace rondo::onnx
