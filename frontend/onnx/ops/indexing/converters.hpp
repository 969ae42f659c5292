// The ONNX operators of the indexing room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> gather_elements_converters();
std::span<const OpEntry> gather_nd_converters();
std::span<const OpEntry> non_max_suppression_converters();
std::span<const OpEntry> non_zero_converters();
std::span<const OpEntry> one_hot_converters();
std::span<const OpEntry> scatter_converters();
std::span<const OpEntry> tf_idf_vectorizer_converters();
std::span<const OpEntry> unique_converters();

}  // namespace rondo::onnx
