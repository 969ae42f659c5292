// The writers of the movement family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> block_move_writers();
std::span<const OpWriter> gather_writers();
std::span<const OpWriter> pad_writers();
std::span<const OpWriter> repeat_writers();
std::span<const OpWriter> slice_writers();
std::span<const OpWriter> split_writers();
std::span<const OpWriter> strided_slice_writers();
std::span<const OpWriter> view_writers();

}  // namespace rondo::onnx
