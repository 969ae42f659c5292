#include "plugins/cpu/nodes/node_list.hpp"

#include <algorithm>

#include "plugins/cpu/nodes/common/open_type_node.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

// keep-sorted
constexpr NodeEntry kNodes[] = {
    {"Abs", make_elementwise_node},
    {"Add", make_elementwise_node},
    {"Broadcast", make_broadcast_node},
    {"Ceiling", make_elementwise_node},
    {"Concat", make_concat_node},
    {"Convert", make_convert_node},
    {"Convolution", make_convolution_node},
    {"Divide", make_elementwise_node},
    {"Equal", make_elementwise_node},
    {"Exp", make_elementwise_node},
    {"Floor", make_elementwise_node},
    {"FusedElementwise", make_fused_elementwise_node},
    {"FusedMatMul", make_fused_matmul_node},
    {"GRUCell", make_recurrent_node},
    {"GRUSequence", make_recurrent_node},
    {"Gather", make_gather_node},
    {"Greater", make_elementwise_node},
    {"GreaterEqual", make_elementwise_node},
    {"HSigmoid", make_elementwise_node},
    {"HSwish", make_elementwise_node},
    {"LSTMCell", make_recurrent_node},
    {"LSTMSequence", make_recurrent_node},
    {"Less", make_elementwise_node},
    {"LessEqual", make_elementwise_node},
    {"Log", make_elementwise_node},
    {"LogicalAnd", make_elementwise_node},
    {"LogicalNot", make_elementwise_node},
    {"LogicalOr", make_elementwise_node},
    {"LogicalXor", make_elementwise_node},
    {"MatMul", make_matmul_node},
    {"Maximum", make_elementwise_node},
    {"Minimum", make_elementwise_node},
    {"Mish", make_elementwise_node},
    {"Multiply", make_elementwise_node},
    {"Negative", make_elementwise_node},
    {"NotEqual", make_elementwise_node},
    {"OrderedSequence", make_ordered_sequence_node},
    {"RNNCell", make_recurrent_node},
    {"RNNSequence", make_recurrent_node},
    {"ReLU", make_elementwise_node},
    {"ReadValue", make_read_value_node},
    {"ReduceMean", make_reduce_mean_node},
    {"Reshape", make_view_node},
    {"Round", make_elementwise_node},
    {"Select", make_elementwise_node},
    {"SequenceStack", make_sequence_stack_node},
    {"ShapeOf", make_shape_of_node},
    {"Sigmoid", make_elementwise_node},
    {"Sign", make_elementwise_node},
    {"Slice", make_slice_node},
    {"SoftMax", make_softmax_node},
    {"SoftPlus", make_elementwise_node},
    {"SoftSign", make_elementwise_node},
    {"Split", make_split_node},
    {"Sqrt", make_elementwise_node},
    {"SquaredDifference", make_elementwise_node},
    {"Squeeze", make_view_node},
    {"StoredWeights", make_stored_weights_node},
    {"StridedSlice", make_strided_slice_node},
    {"Subtract", make_elementwise_node},
    {"Tanh", make_elementwise_node},
    {"Transpose", make_transpose_node},
    {"Unsqueeze", make_view_node},
    {"VariadicSplit", make_split_node},
};

}  // namespace

std::span<const NodeEntry> node_list() { return kNodes; }

std::unique_ptr<CpuNode> make_cpu_node(const Node& node, const CompileContext& context) {
    const auto entry = std::find_if(std::begin(kNodes), std::end(kNodes), [&](const auto& known) {
        return known.type == node.type_name();
    });
    if (entry != std::end(kNodes)) {
        return has_open_type(node) ? make_open_type_node(node, context, entry->make)
                                   : entry->make(node, context);
    }
    return make_reference_node(node, "the op has no kernel of its own");
}

}  // namespace rondo::cpu
