// Converts CumSum and CumProd.
#include "core/ops/reduction/cum_sum.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
std::vector<Output> convert_cumulation(NodeContext& context) {
    ops::Cumulation::Options options;
    options.exclusive = context.attributes().flag("exclusive", false);
    options.reverse = context.attributes().flag("reverse", false);
    return {context.make<T>("", context.input(0), context.input(1), options)};
}

constexpr OpEntry kEntries[] = {
    {"", "CumProd", 26, convert_cumulation<ops::CumProd>},
    {"", "CumSum", 11, convert_cumulation<ops::CumSum>},
};

}  // namespace

std::span<const OpEntry> cum_sum_converters() { return kEntries; }

}  // namespace rondo::onnx
