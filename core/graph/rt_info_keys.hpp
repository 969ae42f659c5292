// The keys of run-time information that Rondo reads and writes; docs/ir_format.md describes them.
#pragma once

namespace rondo {

/// At a Convert: it widens weights that are stored as f16 or bf16.
inline constexpr const char* kDecompression = "decompression";

/// At a recurrent op: its weights were stored with less precision than they are computed in.
inline constexpr const char* kPrecision = "precision";

/// At a recurrent op: the model allows X and H to be rounded in each step to integers of 8 bits or
/// more, a scale for each row.
inline constexpr const char* kDynamicQuantization = "dynamic_quantization";
/// Its value if rows have 16 bits; else 8.
inline constexpr const char* kRowsOf16Bits = "16";

/// At a graph: passes, or reading, have built known extents into constants, so that inputs may only
/// be given shapes that keep those extents.
inline constexpr const char* kFixedExtents = "rondo_fixed_extents";

/// At a graph: the names of inputs of the ONNX file that have initializers, which a caller could
/// replace, and that reading has made constants; a line each.
inline constexpr const char* kConstantInputs = "rondo_constant_inputs";

/// At a layer of a cache entry or an exported model: what of the user's file it was made from, as
/// to_text(NodeOrigin) says it. No IR that Rondo writes for others has it: its layers are the
/// user's.
inline constexpr const char* kNodeOrigin = "rondo_node_origin";

/// At a graph: the version of Rondo that wrote it.
inline constexpr const char* kVersion = "rondo/version";

/// At a Result of unknown rank: the rank that the model's file declares. Nothing is computed from
/// it.
inline constexpr const char* kDeclaredRank = "rondo_declared_rank";

/// At a Parameter or Result of a model that takes chunks: its axis of time. The chunks of an output
/// are put together along it; one without the key is that of the last chunk.
inline constexpr const char* kTimeAxis = "rondo_time_axis";

}  // namespace rondo
