// The writers of the spectral family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_fourier(WriteContext& context);
Names write_stft(WriteContext& context);

}  // namespace rondo::onnx
