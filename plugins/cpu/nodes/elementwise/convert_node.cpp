// Convert, and the Converts of weights that their readers widen themselves.
#include "core/ops/elementwise/convert.hpp"

#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/typed_call.hpp"
#include "plugins/cpu/nodes/elementwise/makers.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kConvertGrain = 1 << 16;  // elements that are worth a thread

// Between f32 and a type of 16 bits, with the processor's conversions.
class RowCall final : public Call {
public:
    RowCall(Isa isa, const CallSite& site)
        : widens_(site.outputs[0].type == ElementType::f32),
          rows_(isa, widens_ ? site.inputs[0].type : site.outputs[0].type),
          count_(count_of(site.inputs[0].shape)) {}

    void run(const RunArgs& args) const override {
        share(args.team, count_, kConvertGrain, [&](std::int64_t begin, std::int64_t end) {
            if (widens_) {
                rows_.load(rows_.at(args.inputs[0], begin),
                           static_cast<float*>(args.outputs[0]) + begin, end - begin);
            } else {
                rows_.store(static_cast<const float*>(args.inputs[0]) + begin,
                            rows_.at(args.outputs[0], begin), end - begin);
            }
        });
    }

private:
    bool widens_;
    RowConverter rows_;
    std::int64_t count_;
};

class NarrowCall final : public Call {
public:
    NarrowCall(const ops::Convert& op, const CallSite& site)
        : convert_(site.inputs[0].type, site.outputs[0].type, op.rounding()),
          bytes_{element_bytes(site.inputs[0].type), element_bytes(site.outputs[0].type)},
          count_(count_of(site.inputs[0].shape)) {}

    void run(const RunArgs& args) const override {
        share(args.team, count_, kConvertGrain, [&](std::int64_t begin, std::int64_t end) {
            convert_.run(static_cast<const char*>(args.inputs[0]) + begin * bytes_[0],
                         static_cast<char*>(args.outputs[0]) + begin * bytes_[1], end - begin);
        });
    }

private:
    NarrowConvert convert_;
    std::array<std::int64_t, 2> bytes_;  // of an element of the input, of the output
    std::int64_t count_;
};

// A view of the weights before they are widened: it has the type and the shape behind that, and its
// readers take the elements from the constant itself.
class StoredWeightsNode final : public CpuNode {
public:
    explicit StoredWeightsNode(const Node& node)
        : CpuNode(node, "none", "its readers widen the weights") {}

    ShownOp shown() const override {
        const bool stored = as_op<StoredWeights>(node()) != nullptr;
        return {node().name(), stored ? ops::Convert::kType.name : "Multiply"};
    }
    std::unique_ptr<Call> prepare(const CallSite&) const override {
        return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
    }
};

class ConvertNode final : public CpuNode {
public:
    ConvertNode(const Node& node, Isa isa)
        : CpuNode(node, "convert",
                  changes(node.input(0).element_type(), node.output_type(0))
                      ? "one pass over the elements"
                      : "a view: the type stays"),
          isa_(isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const ElementType from = site.inputs[0].type;
        const ElementType to = site.outputs[0].type;
        if (!changes(from, to)) {
            return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
        }
        if (is_narrow(from) || is_narrow(to)) {
            return std::make_unique<NarrowCall>(dynamic_cast<const ops::Convert&>(node()), site);
        }
        const bool between_rows =
            (from == ElementType::f32 && is_half(to)) || (to == ElementType::f32 && is_half(from));
        if (between_rows) return std::make_unique<RowCall>(isa_, site);
        const ElementLoop<1> fast = byte_convert_loop(from, to);
        return std::make_unique<TypedCall<1>>(
            node(), fast != nullptr ? fast : convert_loop(from, to), site);
    }

private:
    // A boolean's byte may hold more than 0 and 1 in a caller's memory: it becomes 0 or 1.
    static bool changes(ElementType from, ElementType to) {
        return from != to || from == ElementType::boolean;
    }

    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convert_node(const Node& node, const CompileContext& context) {
    if (program_of(node)) return make_elementwise_node(node, context);
    return std::make_unique<ConvertNode>(node, context.isa);
}

std::unique_ptr<CpuNode> make_stored_weights_node(const Node& node, const CompileContext&) {
    return std::make_unique<StoredWeightsNode>(node);
}

}  // namespace rondo::cpu
