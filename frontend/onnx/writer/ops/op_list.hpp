// All ops that can be written as ONNX, and what writes them.
#pragma once

#include <string_view>

#include "frontend/onnx/writer/context/write_context.hpp"

namespace rondo::onnx {

struct OpWriter {
    std::string_view type;  ///< the op's name in the IR, in all opsets
    Writer* write = nullptr;
};

/// Null for an op that ONNX has no words for. `type`: its name in the IR.
const OpWriter* find_op_writer(std::string_view type);

/// What ONNX calls an op of that type, if it has an operator that does the same.
std::string_view operator_name(std::string_view type);

// By family.
// control
Writer write_if, write_iterated;
// elementwise
Writer write_binary, write_compare, write_convert, write_select, write_unary;
// indexing
Writer write_gather_elements, write_gather_nd, write_non_max_suppression, write_non_zero,
    write_scatter_elements, write_scatter_nd, write_unique;
// movement
Writer write_bit_cast, write_broadcast, write_concat, write_depth_to_space, write_gather, write_pad,
    write_reshape, write_reverse_sequence, write_roll, write_slice, write_space_to_depth,
    write_split, write_squeeze, write_strided_slice, write_tile, write_transpose, write_unsqueeze,
    write_variadic_split;
// product
Writer write_matmul, write_matmul_integer;
// recurrent
Writer write_recurrent;
// reduction
Writer write_cumulation, write_mvn, write_reduce, write_softmax, write_top_k;
// source
Writer write_random_uniform, write_range, write_shape_of;
// spectral
Writer write_fourier, write_stft;
// window
Writer write_avg_pool, write_col2im, write_convolution, write_deformable, write_grid_sample,
    write_interpolate, write_max_pool, write_roi_align, write_transposed;

/// Whether all that reads the node is written with what the node is made of.
bool is_taken_in(const Node& node);

}  // namespace rondo::onnx
