// Runs whatever graph was accepted on small inputs, and compares two ways to run it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/tensor.hpp"

namespace rondo::test {

/// Inputs of several runs, in the order of the parameters.
using Runs = std::vector<std::vector<Tensor>>;

/// Four runs, two of them at equal sizes, the last one without elements. Empty if a parameter
/// takes no small tensor.
std::optional<Runs> small_inputs(const Graph& graph);

/// What came of one run.
struct Outcome {
    enum class Kind {
        ran,
        wrong,    ///< a ModelError
        not_done  ///< unsupported, too slow or too large
    };
    Kind kind = Kind::ran;
    std::string message;
    std::vector<Tensor> outputs;
};

/// All runs on one executor of a device, which gets the graph as it is. An exception that no file
/// may cause leaves as it is.
std::vector<Outcome> run_on(const std::string& device, const Graph& graph, const Runs& runs);

/// The first difference of outcomes in a line, empty where there is none: `actual` found a model
/// wrong that ran, or their outputs differ by more than rounding explains. Where `expected` failed,
/// nothing is: passes drop nodes that would fail. `graph` is what
/// gave `expected`: it shows which numbers depend on rounding.
std::string difference(const std::vector<Outcome>& actual, const std::vector<Outcome>& expected,
                       const Graph& graph, const Runs& runs);

}  // namespace rondo::test
