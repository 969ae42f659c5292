// Runs a model over a sequence in chunks, and checks that it is made streaming without a bit lost.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"
#include "rondo/tensor.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/source_location.hpp"

namespace rondo::test {

/// Rows [begin, end) along an axis.
Tensor rows_of(const Tensor& tensor, std::size_t axis, std::size_t begin, std::size_t end);

/// The tensors joined along an axis.
Tensor joined(const std::vector<Tensor>& parts, std::size_t axis);

/// Every result for one call of a graph.
std::vector<Tensor> run_whole(const Graph& graph, const std::string& device,
                              const std::vector<Tensor>& inputs);

/// An input that the next chunk gets from an output of this one: all of it, or a row of axis 0.
struct Feedback {
    std::size_t input;
    std::size_t output;
    std::optional<std::size_t> row = {};
};

/// Results of a graph that make_streaming() made, put together along their time axes; those
/// without one are the last chunk's. The axes come from the graph.
std::vector<Tensor> run_in_chunks(const Graph& graph, const std::string& device,
                                  const std::vector<Tensor>& inputs,
                                  const std::vector<std::size_t>& chunks,
                                  const std::vector<Feedback>& feedback = {});

/// Lengths of chunks that make `frames` together: all `length`, and a rest; 0 means random
/// ones.
std::vector<std::size_t> chunks_of(std::size_t frames, std::size_t length, Rng& rng);

/// Fails unless the graph, made streaming, gives the same bits on the CPU as in one call, for
/// chunks of 1, 2, 7 and random lengths and the whole; and nearly the same on REFERENCE, which goes
/// from step to step in double precision and rounds what it keeps for the next call. `inputs` is
/// what the original takes. Returns the streaming graph.
std::shared_ptr<Graph> expect_same_in_chunks(const Graph& original,
                                             const std::vector<Tensor>& inputs,
                                             const StreamingOptions& options = {},
                                             SourceLocation where = SourceLocation::current());

}  // namespace rondo::test
