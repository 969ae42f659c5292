// The keys of run-time information that Rondo reads and writes; docs/ir_format.md describes them.
#pragma once

namespace rondo {

/// At a Convert: it widens weights that are stored as f16 or bf16.
inline constexpr const char* kDecompression = "decompression";

/// At a recurrent op: its weights were stored with less precision than they are computed in.
inline constexpr const char* kPrecision = "precision";

/// At a graph: passes have built known extents into constants, so that inputs may only be given
/// shapes that keep those extents.
inline constexpr const char* kFixedExtents = "rondo_fixed_extents";

}  // namespace rondo
