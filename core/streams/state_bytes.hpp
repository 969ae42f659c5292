// A stream's variables as bytes that another process of any machine reads.
#pragma once

#include "core/streams/state_store.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// The values as u8[size]; an empty tensor means a variable without a value.
Tensor bytes_of(const StateStore::Values& values);

/// What bytes_of() was given. Throws ModelError if the bytes are damaged or something else.
StateStore::Values values_in(const Tensor& bytes);

}  // namespace rondo
