// Runs a recurrent node on a device and compares its outputs with ONNX's.
#pragma once

#include <string>
#include <vector>

#include "rondo/rondo.hpp"
#include "tests/conformance/onnx_recurrent_reference.hpp"
#include "tests/conformance/recurrent_node.hpp"

namespace rondo::test {

/// An output may differ from the reference by `absolute + relative * |expected|`.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
};

/// f32: 2e-6 * sqrt(T). Unbounded functions make states that grow: the bound is then multiplied
/// by the largest magnitude, since float's errors are relative to it. f64: 1e-13 *
/// sqrt(T), likewise. 16-bit types are computed in f32 and rounded once: f32's bound and one unit
/// in the last place.
Tolerance tolerance_of(const RecurrentNode& node, const ReferenceResult& reference);

/// Where `actual` is not `expected` (f64) in the node's type, in a line; empty where it is. `worst`
/// becomes the largest difference as a share of what is allowed.
std::string first_difference(const Tensor& actual, const Tensor& expected,
                             const Tolerance& tolerance, double& worst);

enum class Verdict { agrees, refused, differs };

struct Outcome {
    Verdict verdict = Verdict::agrees;
    std::string text;             ///< the message, or where the first difference is
    std::vector<Tensor> outputs;  ///< those that the node has, in order
    double worst = 0;             ///< largest error as a share of what is allowed
};

/// Runs a request of the node's model on the node's inputs twice, so that results that depend on an
/// earlier run are found. rondo::Error counts as refused; other exceptions are thrown on.
Outcome infer_node(InferRequest& request, const RecurrentNode& node,
                   const ReferenceResult& reference);

/// Reads and compiles the node's model, and runs it.
Outcome run_node(const RecurrentNode& node, const ReferenceResult& reference,
                 const std::string& device);

}  // namespace rondo::test
