// Runs Convert, and the Converts of weights that their readers widen themselves.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/typed_call.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kConvertGrain = 1 << 16;  // elements that are worth a thread

// Between f32 and a type of 16 bits, with the processor's conversions.
std::unique_ptr<Call> make_row_call(Isa isa, const CallSite& site) {
    const bool widens = site.outputs[0].type == ElementType::f32;
    const RowConverter rows(isa, widens ? site.inputs[0].type : site.outputs[0].type);
    return make_call([widens, rows, count = count_of(site.inputs[0].shape)](const RunArgs& args) {
        share(args.team, count, kConvertGrain, [&](std::int64_t begin, std::int64_t end) {
            if (widens) {
                rows.load(rows.at(args.inputs[0], begin),
                          static_cast<float*>(args.outputs[0]) + begin, end - begin);
            } else {
                rows.store(static_cast<const float*>(args.inputs[0]) + begin,
                           rows.at(args.outputs[0], begin), end - begin);
            }
        });
    });
}

std::unique_ptr<Call> make_narrow_call(const ops::Convert& op, const CallSite& site) {
    const ElementType from = site.inputs[0].type, to = site.outputs[0].type;
    return make_call([convert = NarrowConvert(from, to, op.rounding()),
                      from_bytes = element_bytes(from), to_bytes = element_bytes(to),
                      count = count_of(site.inputs[0].shape)](const RunArgs& args) {
        share(args.team, count, kConvertGrain, [&](std::int64_t begin, std::int64_t end) {
            convert.run(static_cast<const char*>(args.inputs[0]) + begin * from_bytes,
                        static_cast<char*>(args.outputs[0]) + begin * to_bytes, end - begin);
        });
    });
}

// A view of the weights before they are widened: it has the type and the shape of the widened ones,
// and its readers take the elements from the constant itself.
class StoredWeightsNode final : public CpuNode {
public:
    explicit StoredWeightsNode(const Node& node)
        : CpuNode(node, "none", "its readers widen the weights") {}

    ShownOp shown() const override {
        const bool stored = as_op<StoredWeights>(node()) != nullptr;
        return {node().name(), stored ? ops::Convert::kType.name : "Multiply"};
    }
    std::unique_ptr<Call> prepare(const CallSite&) const override { return make_view_call(); }
};

// A boolean's byte may hold more than 0 and 1 in a caller's memory: it becomes 0 or 1.
bool changes(ElementType from, ElementType to) {
    return from != to || from == ElementType::boolean;
}

std::unique_ptr<Call> prepare_convert(const ops::Convert& op, Isa isa, const CallSite& site) {
    const ElementType from = site.inputs[0].type;
    const ElementType to = site.outputs[0].type;
    if (!changes(from, to)) return make_view_call();
    if (is_narrow(from) || is_narrow(to)) return make_narrow_call(op, site);
    const bool between_rows =
        (from == ElementType::f32 && is_half(to)) || (to == ElementType::f32 && is_half(from));
    if (between_rows) return make_row_call(isa, site);
    const ElementLoop<1> fast = byte_convert_loop(from, to);
    return std::make_unique<TypedCall<1>>(op, fast != nullptr ? fast : convert_loop(from, to),
                                          site);
}

}  // namespace

std::unique_ptr<CpuNode> make_convert_node(const Node& node, const CompileContext& context) {
    if (program_of(node)) return make_elementwise_node(node, context);
    const bool is_changed = changes(node.input(0).element_type(), node.output_type(0));
    return make_function_node(
        node, {"convert", is_changed ? "one pass over the elements" : "a view: the type stays"},
        context.isa, prepare_convert);
}

std::unique_ptr<CpuNode> make_stored_weights_node(const Node& node, const CompileContext&) {
    return std::make_unique<StoredWeightsNode>(node);
}

}  // namespace rondo::cpu
