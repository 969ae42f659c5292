// Recurrent cells as people and exporters write them, as nodes of one step.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/elementwise/functions.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {

inline constexpr std::size_t kStepInput = 3;
inline constexpr std::size_t kStepHidden = 4;

/// Writes the nodes of a step. Weights of one name are one constant, also in later steps.
class StepWriter {
public:
    explicit StepWriter(GraphBuilder& builder) : builder_(builder), rng_(kSeed) {}

    Output weights(const std::string& name, const Shape& shape);
    Output number(float value) { return builder_.constant(scalar_of(value)); }
    Output sum(const Output& a, const Output& b);
    Output difference(const Output& a, const Output& b);
    Output product(const Output& a, const Output& b);
    Output quotient(const Output& a, const Output& b);
    Output unary(ops::UnaryFunction function, const Output& x);
    Output exp(const Output& x) { return unary(ops::UnaryFunction::exp, x); }
    Output negative(const Output& x) { return unary(ops::UnaryFunction::negative, x); }
    Output sigmoid(const Output& x) { return unary(ops::UnaryFunction::sigmoid, x); }
    Output tanh(const Output& x) { return unary(ops::UnaryFunction::tanh, x); }
    Output matmul(const Output& x, const std::string& name, std::size_t units,
                  bool transposed = false);
    /// x W + h R + b.
    Output gate(const Output& x, const Output& h, const std::string& name,
                std::size_t units = kStepHidden);
    /// [x, h] W + b.
    Output joined_gate(const Output& x, const Output& h, const std::string& name,
                       std::size_t units = kStepHidden);
    std::vector<Output> split(const Output& x, std::size_t parts);
    /// Units [begin, end) by a Slice whose other axis ends at 2^31 - 1.
    Output slice(const Output& x, std::int64_t begin, std::int64_t end);

    GraphBuilder& builder() { return builder_; }

private:
    GraphBuilder& builder_;
    static constexpr std::uint64_t kSeed = 11;
    Rng rng_;
    std::map<std::string, Output> weights_;
};

/// The next H and C of an LSTM, of the sums of gates i, f, g, o.
std::vector<Output> lstm_of(StepWriter& step, const std::vector<Output>& gates, const Output& c);

/// A cell of one state, H, or of two, H and C.
struct CellSpelling {
    const char* name;
    const char* op;  ///< what it becomes; empty: it stays
    std::size_t states;
    std::vector<Output> (*next)(StepWriter& step, const Output& x, const std::vector<Output>& now);
};

/// All of them.
const std::vector<CellSpelling>& cell_spellings();
/// Those whose gates lie along an axis of their own.
std::vector<CellSpelling> gate_axis_spellings();
/// One of them. Throws ModelError where none has that name.
const CellSpelling& spelling(const std::string& name);

/// Recurrent ops of one step, over two rows, as scripted loops have them.
const std::vector<CellSpelling>& layer_spellings();

}  // namespace rondo::test
