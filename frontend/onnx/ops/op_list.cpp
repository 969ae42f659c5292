#include "frontend/onnx/ops/op_list.hpp"

#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {
namespace {

// One converter serves later versions too, where those only add types or say the same in other
// words; attributes that came later it reads from that opset on. keep-sorted
constexpr OpEntry kOps[] = {
    {"", "Add", 7, convert_add},
    {"", "Cast", 6, convert_cast},
    {"", "Concat", 4, convert_concat},
    {"", "Constant", 1, convert_constant},
    {"", "ConstantOfShape", 9, convert_constant_of_shape},
    {"", "Conv", 1, convert_conv},
    {"", "Div", 7, convert_div},
    {"", "Dropout", 7, convert_dropout_7},
    {"", "Dropout", 12, convert_dropout_12},
    {"", "Expand", 8, convert_expand},
    {"", "Flatten", 1, convert_flatten},
    {"", "GRU", 1, convert_gru},
    {"", "Gather", 1, convert_gather},
    {"", "Gemm", 7, convert_gemm},
    {"", "Identity", 1, convert_identity},
    {"", "LSTM", 1, convert_lstm},
    {"", "MatMul", 1, convert_matmul},
    {"", "Mul", 7, convert_mul},
    {"", "Neg", 6, convert_neg},
    {"", "Pow", 7, convert_pow},
    {"", "RNN", 1, convert_rnn},
    {"", "Reciprocal", 6, convert_reciprocal},
    {"", "ReduceMean", 1, convert_reduce_mean_1},
    {"", "ReduceMean", 18, convert_reduce_mean_18},
    {"", "Relu", 6, convert_relu},
    {"", "Reshape", 5, convert_reshape},
    {"", "Shape", 1, convert_shape},
    {"", "Sigmoid", 6, convert_sigmoid},
    {"", "Slice", 1, convert_slice_1},
    {"", "Slice", 10, convert_slice_10},
    {"", "Softmax", 1, convert_softmax_1},
    {"", "Softmax", 13, convert_softmax_13},
    {"", "Split", 2, convert_split_2},
    {"", "Split", 13, convert_split_13},
    {"", "Sqrt", 6, convert_sqrt},
    {"", "Squeeze", 1, convert_squeeze_1},
    {"", "Squeeze", 13, convert_squeeze_13},
    {"", "Sub", 7, convert_sub},
    {"", "Tanh", 6, convert_tanh},
    {"", "Transpose", 1, convert_transpose},
    {"", "Unsqueeze", 1, convert_unsqueeze_1},
    {"", "Unsqueeze", 13, convert_unsqueeze_13},
    {"com.microsoft", "DynamicQuantizeLSTM", 1, convert_dynamic_quantize_lstm},
};

}  // namespace

std::span<const OpEntry> op_list() { return kOps; }

const OpEntry* find_converter(std::string_view domain, std::string_view name, std::int64_t opset) {
    const OpEntry* best = nullptr;
    for (const auto& entry : kOps) {
        const bool fits = entry.domain == domain && entry.name == name && entry.since <= opset;
        if (fits && (best == nullptr || entry.since > best->since)) best = &entry;
    }
    return best;
}

}  // namespace rondo::onnx
