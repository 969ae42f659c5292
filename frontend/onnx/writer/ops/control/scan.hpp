// Writes a loop over single elements of axes as Scan.
#pragma once

#include "frontend/onnx/writer/ops/control/rounds.hpp"

namespace rondo::onnx {

/// Whether a Scan has the parts: single elements of whole axes, in either direction.
bool is_scan(const Rounds& rounds);

Names write_scan(WriteContext& context, const Rounds& rounds);

}  // namespace rondo::onnx
