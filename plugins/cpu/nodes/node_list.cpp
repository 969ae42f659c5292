#include "plugins/cpu/nodes/node_list.hpp"

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// keep-sorted
constexpr NodeEntry kNodes[] = {
    {"AvgPool", make_avg_pool_node},
    {"BitCast", make_view_node},
    {"Broadcast", make_broadcast_node},
    {"Col2Im", make_col2im_node},
    {"CompressedMatrix", make_stored_weights_node},
    {"Concat", make_concat_node},
    {"Convert", make_convert_node},
    {"Convolution", make_convolution_node},
    {"ConvolutionBackpropData", make_convolution_backprop_node},
    {"CumProd", make_cum_sum_node},
    {"CumSum", make_cum_sum_node},
    {"DFT", make_fourier_node},
    {"DeformableConvolution", make_deformable_convolution_node},
    {"DepthToSpace", make_block_move_node},
    {"Det", make_det_node},
    {"DynamicQuantizeLinear", make_dynamic_quantize_linear_node},
    {"FusedConvolution", make_convolution_node},
    {"FusedElementwise", make_fused_elementwise_node},
    {"FusedMatMul", make_matmul_node},
    {"FusedMatMulInteger", make_matmul_integer_node},
    {"FusedMvn", make_mvn_node},
    {"FusedReduction", make_fused_reduction_node},
    {"GRUCell", make_recurrent_node},
    {"GRUSequence", make_recurrent_node},
    {"Gather", make_gather_node},
    {"GatherElements", make_gather_elements_node},
    {"GatherND", make_gather_nd_node},
    {"GridSample", make_grid_sample_node},
    {"GroupConvolution", make_convolution_node},
    {"GroupConvolutionBackpropData", make_convolution_backprop_node},
    {"IDFT", make_fourier_node},
    {"IRDFT", make_fourier_node},
    {"If", make_if_node},
    {"Interpolate", make_interpolate_node},
    {"LSTMCell", make_recurrent_node},
    {"LSTMSequence", make_recurrent_node},
    {"LogSoftmax", make_softmax_node},
    {"Loop", make_loop_node},
    {"MVN", make_mvn_node},
    {"MatMul", make_matmul_node},
    {"MatMulInteger", make_matmul_integer_node},
    {"MaxPool", make_max_pool_node},
    {"NonMaxSuppression", make_non_max_suppression_node},
    {"NonZero", make_non_zero_node},
    {"Pad", make_pad_node},
    {"RDFT", make_fourier_node},
    {"RNNCell", make_recurrent_node},
    {"RNNSequence", make_recurrent_node},
    {"ROIAlign", make_roi_align_node},
    {"RandomUniform", make_random_uniform_node},
    {"Range", make_range_node},
    {"ReadValue", make_read_value_node},
    {"Reshape", make_view_node},
    {"ReverseSequence", make_reverse_sequence_node},
    {"Roll", make_roll_node},
    {"STFT", make_stft_node},
    {"ScaledWeights", make_stored_weights_node},
    {"ScatterElementsUpdate", make_scatter_elements_node},
    {"ScatterNDUpdate", make_scatter_nd_node},
    {"Select", make_elementwise_node},
    {"SequenceStack", make_sequence_stack_node},
    {"ShapeOf", make_shape_of_node},
    {"Slice", make_slice_node},
    {"SoftMax", make_softmax_node},
    {"SpaceToDepth", make_block_move_node},
    {"Split", make_split_node},
    {"Squeeze", make_view_node},
    {"StoredWeights", make_stored_weights_node},
    {"StridedSequence", make_strided_sequence_node},
    {"StridedSlice", make_slice_node},
    {"TensorIterator", make_loop_node},
    {"Tile", make_tile_node},
    {"TopK", make_top_k_node},
    {"Transpose", make_transpose_node},
    {"Unique", make_unique_node},
    {"Unsqueeze", make_view_node},
    {"VariadicSplit", make_split_node},
};

// The families whose ops are rows of a table: one node serves them all.
struct FamilyEntry {
    bool (*has)(const Node& node);
    MakeNode* make;
};

template <typename T>
bool is_a(const Node& node) {
    return dynamic_cast<const T*>(&node) != nullptr;
}

constexpr FamilyEntry kFamilies[] = {
    {is_a<ops::Binary>, make_elementwise_node},  {is_a<ops::Compare>, make_elementwise_node},
    {is_a<ops::Logical>, make_elementwise_node}, {is_a<ops::Reduce>, make_reduce_node},
    {is_a<ops::Unary>, make_elementwise_node},
};

// Null where there is none.
MakeNode* find_maker(const Node& node) {
    for (const FamilyEntry& family : kFamilies) {
        if (family.has(node)) return family.make;
    }
    const auto entry = std::find_if(std::begin(kNodes), std::end(kNodes), [&](const auto& known) {
        return known.type == node.type_name();
    });
    return entry == std::end(kNodes) ? nullptr : entry->make;
}

// Keeps what the call refers to.
class OwningCall final : public Call {
public:
    OwningCall(std::shared_ptr<const Node> op, std::unique_ptr<CpuNode> node, const CallSite& site)
        : op_(std::move(op)), node_(std::move(node)), call_(node_->prepare(site)) {}

    void run(const RunArgs& args) const override { call_->run(args); }
    std::size_t scratch_bytes() const override { return call_->scratch_bytes(); }
    std::optional<View> view(std::size_t output) const override { return call_->view(output); }
    std::string detail() const override { return call_->detail(); }
    std::string reason() const override { return call_->reason(); }

private:
    std::shared_ptr<const Node> op_;
    std::unique_ptr<CpuNode> node_;
    std::unique_ptr<Call> call_;
};

// Calls the maker in each prepare(), for a copy of the op with the types of the site. The call owns
// the copy and the node: this is slow if shapes change, but correct for every op.
class OpenTypeNode final : public CpuNode {
public:
    OpenTypeNode(const Node& node, const CompileContext& context, MakeNode* make)
        : CpuNode(node, "open", "an element type is open: the kernel is chosen when it is known"),
          context_(context),
          make_(make) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::vector<Output> inputs = node().inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (known_value(inputs[i])) continue;
            inputs[i] =
                make_node<ops::Parameter>(site.inputs[i].type, PartialShape(site.inputs[i].shape));
        }
        const NodePtr op = node().clone_with(std::move(inputs));
        op->set_name(node().name());
        op->validate();
        return std::make_unique<OwningCall>(op, make_(*op, context_), site);
    }

private:
    CompileContext context_;
    MakeNode* make_;
};

}  // namespace

std::span<const NodeEntry> node_list() { return kNodes; }

bool has_open_type(const Node& node) {
    for (const auto& input : node.inputs()) {
        if (input.element_type() == ElementType::dynamic) return true;
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (node.output_type(i) == ElementType::dynamic) return true;
    }
    return false;
}

std::unique_ptr<CpuNode> make_cpu_node(const Node& node, const CompileContext& context) {
    MakeNode* const make = find_maker(node);
    if (make == nullptr) {
        throw UnsupportedError(describe(node) + ": the CPU device can't run this op (" +
                               std::string(node.op_type().opset_name()) +
                               "): it has no kernel for it");
    }
    if (has_open_type(node)) return std::make_unique<OpenTypeNode>(node, context, make);
    return make(node, context);
}

}  // namespace rondo::cpu
