// Converts CumSum.
#include "core/ops/reduction/cum_sum.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> convert_cum_sum(NodeContext& context) {
    ops::CumSum::Options options;
    options.exclusive = context.attributes().flag("exclusive", false);
    options.reverse = context.attributes().flag("reverse", false);
    return {context.make<ops::CumSum>("", context.input(0), context.input(1), options)};
}

constexpr OpEntry kEntries[] = {
    {"", "CumSum", 11, convert_cum_sum},
};

}  // namespace

std::span<const OpEntry> cum_sum_converters() { return kEntries; }

}  // namespace rondo::onnx
