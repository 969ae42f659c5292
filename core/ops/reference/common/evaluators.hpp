// Declares the evaluators of all ops; the bodies are in one file an op or close family.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// What an Evaluator (core/ops/reference/evaluate.hpp) points to.
using Evaluation = void(const Node& node, std::span<const Tensor> inputs,
                        std::span<Tensor> outputs);

// keep-sorted
Evaluation avg_pool;
Evaluation binary;
Evaluation bit_cast;
Evaluation broadcast;
Evaluation col2im;
Evaluation compare;
Evaluation concat;
Evaluation convert;
Evaluation convolution;
Evaluation convolution_backprop_data;
Evaluation cum_sum;
Evaluation deformable_convolution;
Evaluation depth_to_space;
Evaluation det;
Evaluation dynamic_quantize_linear;
Evaluation fourier;
Evaluation gather;
Evaluation gather_elements;
Evaluation gather_nd;
Evaluation grid_sample;
Evaluation interpolate;
Evaluation log_softmax;
Evaluation logical;
Evaluation matmul;
Evaluation matmul_integer;
Evaluation max_pool;
Evaluation mvn;
Evaluation non_max_suppression;
Evaluation non_zero;
Evaluation pad;
Evaluation random_uniform;
Evaluation range;
Evaluation recurrent;
Evaluation reduce;
Evaluation reshape;
Evaluation reverse_sequence;
Evaluation roi_align;
Evaluation roll;
Evaluation scatter_elements;
Evaluation scatter_nd;
Evaluation select;
Evaluation shape_of;
Evaluation slice;
Evaluation softmax;
Evaluation space_to_depth;
Evaluation split;
Evaluation stft;
Evaluation strided_slice;
Evaluation tile;
Evaluation top_k;
Evaluation transpose;
Evaluation unary;
Evaluation unique;

}  // namespace rondo::reference
