// All ONNX operators that Rondo reads, and since which opset each converter is valid.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

/// Every entry, sorted by domain, name and version.
std::span<const OpEntry> op_list();

/// The newest entry that is not newer than the model's opset, or null.
const OpEntry* find_converter(std::string_view domain, std::string_view name, std::int64_t opset);

}  // namespace rondo::onnx
