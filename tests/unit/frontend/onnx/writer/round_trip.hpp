// Graphs that are written as ONNX and read again.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "tests/support/source_location.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

/// What the file says, read again.
std::shared_ptr<Graph> written_and_read(const Graph& graph, ElementType weights = ElementType::f32);

/// Fails unless the graph that is read again has the same inputs, outputs and results: the bits
/// where the tolerance is 0.
void expect_round_trip(const Graph& graph, const std::vector<Tensor>& inputs, double tolerance = 0,
                       SourceLocation where = SourceLocation::current());

struct CaseInput {
    Tensor value;
    bool is_constant = false;
};

/// An input with random elements.
CaseInput given(const Shape& shape, ElementType type = ElementType::f32, double lo = -2,
                double hi = 2);
/// An input of the graph that has these elements.
CaseInput run(Tensor value);
CaseInput run_ints(const std::vector<std::int64_t>& values);
/// Constants of the graph.
CaseInput fixed(Tensor value);
CaseInput ints(const std::vector<std::int64_t>& values);
CaseInput int_scalar(std::int64_t value);

/// One op.
struct WriteCase {
    std::string type;
    std::vector<CaseInput> inputs;
    std::map<std::string, std::string> attributes{};
    std::string opset = "opset99";  ///< the newest form
    bool takes_open_shapes = true;
    double tolerance = 0;
};

/// The graph of a case: a result an output. `open`: no extent of an input is known.
std::shared_ptr<Graph> graph_of(const WriteCase& one, bool open = false);
/// The elements of its inputs that aren't constants.
std::vector<Tensor> inputs_of(const WriteCase& one);

/// expect_round_trip() with known and with open extents.
void expect_written(const WriteCase& one, SourceLocation where = SourceLocation::current());

/// The operators of the file, in order, joined by spaces.
std::string operators_of(const Graph& graph);
std::string operators_of(const WriteCase& one);

/// Fails unless writing the op throws UnsupportedError with this text.
void expect_not_written(const WriteCase& one, const std::string& text);

}  // namespace rondo::test
