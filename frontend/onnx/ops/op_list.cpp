#include "frontend/onnx/ops/op_list.hpp"

#include <algorithm>
#include <tuple>

#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "frontend/onnx/ops/product/converters.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/recurrent/converters.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "frontend/onnx/ops/source/converters.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"
#include "frontend/onnx/ops/window/converters.hpp"

namespace rondo::onnx {
namespace {

using List = std::span<const OpEntry> (*)();

// keep-sorted
constexpr List kLists[] = {
    activation_converters,
    affine_grid_converters,
    attention_converters,
    batch_normalization_converters,
    binary_converters,
    bit_cast_converters,
    bitwise_converters,
    cast_converters,
    causal_conv_converters,
    cdist_converters,
    center_crop_pad_converters,
    clip_converters,
    col2im_converters,
    compare_converters,
    concat_converters,
    constant_converters,
    constant_of_shape_converters,
    conv_converters,
    conv_integer_converters,
    conv_transpose_converters,
    cum_sum_converters,
    deform_conv_converters,
    depth_to_space_converters,
    dequantize_linear_converters,
    det_converters,
    dft_converters,
    dropout_converters,
    dynamic_quantize_lstm_converters,
    einsum_converters,
    embed_layer_normalization_converters,
    expand_converters,
    eye_like_converters,
    flatten_converters,
    gather_converters,
    gather_elements_converters,
    gather_nd_converters,
    gelu_converters,
    gemm_converters,
    global_pool_converters,
    grid_sample_converters,
    group_query_attention_converters,
    gru_converters,
    hardmax_converters,
    identity_converters,
    if_converters,
    instance_normalization_converters,
    layer_normalization_converters,
    linear_attention_converters,
    logical_converters,
    loop_converters,
    loss_converters,
    lp_normalization_converters,
    lp_pool_converters,
    lrn_converters,
    lstm_converters,
    matmul_converters,
    matmul_integer_converters,
    matmul_n_bits_converters,
    max_unpool_converters,
    mel_weight_matrix_converters,
    microsoft_attention_converters,
    n_ary_converters,
    non_max_suppression_converters,
    non_zero_converters,
    one_hot_converters,
    pad_converters,
    pool_converters,
    pow_converters,
    qlinear_converters,
    quantize_linear_converters,
    random_converters,
    range_converters,
    reduce_converters,
    reshape_converters,
    resize_converters,
    reverse_sequence_converters,
    rnn_converters,
    roi_align_converters,
    rotary_embedding_converters,
    scan_converters,
    scatter_converters,
    sequence_converters,
    sequence_map_converters,
    shape_converters,
    size_converters,
    skip_layer_normalization_converters,
    slice_converters,
    softmax_converters,
    split_converters,
    split_to_sequence_converters,
    squeeze_converters,
    stft_converters,
    tensor_scatter_converters,
    tf_idf_vectorizer_converters,
    tile_converters,
    top_k_converters,
    transpose_converters,
    trilu_converters,
    unary_converters,
    unique_converters,
    where_converters,
    window_function_converters,
};

std::vector<OpEntry> joined_lists() {
    std::vector<OpEntry> all;
    for (const List list : kLists) all.insert(all.end(), list().begin(), list().end());
    std::sort(all.begin(), all.end(), [](const OpEntry& a, const OpEntry& b) {
        return std::tie(a.domain, a.name, a.since) < std::tie(b.domain, b.name, b.since);
    });
    return all;
}

}  // namespace

std::span<const OpEntry> op_list() {
    static const std::vector<OpEntry> kAll = joined_lists();
    return kAll;
}

const OpEntry* find_converter(std::string_view domain, std::string_view name, std::int64_t opset) {
    const OpEntry* best = nullptr;
    for (const auto& entry : op_list()) {
        const bool fits = entry.domain == domain && entry.name == name && entry.since <= opset;
        if (fits && (best == nullptr || entry.since > best->since)) best = &entry;
    }
    return best;
}

}  // namespace rondo::onnx
