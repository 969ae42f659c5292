// A failing model while it is made smaller: its message, whose parts can be changed, and its
// inputs.
#pragma once

#include <rondo_onnx.pb.h>

#include <functional>
#include <vector>

#include "tests/random/random_model.hpp"

namespace rondo::test {

struct Candidate {
    /// Throws ModelError if the bytes aren't an ONNX message.
    explicit Candidate(const RandomModel& model);
    /// As a model that can run. What its open extents are isn't known.
    RandomModel model() const;

    rondo_onnx::GraphProto& graph() { return *message.mutable_graph(); }
    const rondo_onnx::GraphProto& graph() const { return message.graph(); }

    rondo_onnx::ModelProto message;
    std::vector<std::vector<NamedTensor>> inputs;  ///< of each run
};

/// A change of a candidate. It may make the model invalid: then it fails in another way.
using Edit = std::function<void(Candidate&)>;

/// All changes of one kind that this candidate has, in the order in which they are tried.
using Step = std::vector<Edit> (*)(Candidate candidate);

}  // namespace rondo::test
