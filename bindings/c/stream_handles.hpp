// What the handles of rondo/c/stream_pool.h point to, and how their parameters are read.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bindings/c/handles.hpp"
#include "rondo/c/stream_pool.h"
#include "rondo/stream_pool.hpp"

struct rondo_stream_pool {
    rondo::StreamPool pool;
};

struct rondo_stream {
    rondo::Stream stream;
};

struct rondo_stream_step {
    rondo::StreamStep step;
};

namespace rondo::c {

/// Throws InvalidArgument for NULL tensors, and for a count without an array. `parameter` is what
/// the function calls them.
std::vector<Tensor> tensors(const rondo_tensor_t* const* given, std::size_t count,
                            const char* parameter = "inputs");

/// The same for tensors with names, of which none may be there twice.
std::map<std::string, Tensor> tensors(const rondo_named_tensor_t* given, std::size_t count,
                                      const char* parameter = "inputs");

}  // namespace rondo::c
