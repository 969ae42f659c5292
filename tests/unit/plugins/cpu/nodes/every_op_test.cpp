// Every op with every element type that it takes has a kernel of its own, and gives what the
// reference gives.
#include <gtest/gtest.h>

#include <map>

#include "core/ops/op_list.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/nodes/op_runs.hpp"
#include "tests/unit/plugins/cpu/nodes/op_samples.hpp"

namespace rondo::test::every_op_test {
namespace {

// False where the op doesn't take the type.
bool check(const ops::OpEntry& entry, const OpSample& sample, ElementType type, cpu::Isa isa) {
    const auto values = values_of(sample, type);
    NodePtr node;
    try {
        node = make_op(entry, sample, values);
    } catch (const Error& error) {
        EXPECT_TRUE(is_about_types(error)) << error.what();
        return false;
    }
    SCOPED_TRACE(std::string(entry.type->name) + " of " + std::string(to_string(type)) + " on " +
                 cpu::name_of(isa));
    const auto expected = reference::evaluate(*node, values);
    const auto actual = run_on_cpu(*node, sample, values, isa);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double allowed = sample.ulps * epsilon_of(expected[i].element_type());
        expect_near(actual[i], expected[i], allowed, allowed);
    }
    return true;
}

TEST(EveryOp, RunsOnAKernelOfItsOwnForEveryTypeThatItTakes) {
    const auto samples = op_samples();
    for (const ops::OpEntry& entry : ops::op_list()) {
        if (!computes(entry.type->name)) continue;
        int checked = 0;
        for (const OpSample& sample : samples) {
            if (sample.op != entry.type->name) continue;
            for (const ElementType type : all_element_types()) {
                if (check(entry, sample, type, cpu::Isa::plain)) ++checked;
                check(entry, sample, type, cpu::cpu_features().best());
            }
        }
        EXPECT_GT(checked, 0) << "no sample of " << entry.type->name << " in op_samples()";
    }
}

TEST(EveryOp, RunsWithATypeThatComesWithTheInputs) {
    for (const OpSample& sample : op_samples()) {
        const ops::OpEntry* entry = entry_of(sample);
        ASSERT_NE(entry, nullptr) << sample.op;
        for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i32}) {
            const auto values = values_of(sample, type);
            NodePtr known, open;
            try {
                known = make_op(*entry, sample, values);
                open = make_op(*entry, sample, values, true);
            } catch (const Error&) {
                continue;
            }
            SCOPED_TRACE(sample.op + " of " + std::string(to_string(type)));
            const auto expected = run_on_cpu(*known, sample, values, cpu::Isa::plain);
            const auto actual = run_on_cpu(*open, sample, values, cpu::Isa::plain);
            for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
        }
    }
}

// Rows [begin, end) along the axis, row-major.
Tensor rows_of(Tensor whole, std::size_t axis, std::size_t begin, std::size_t end) {
    Shape shape = whole.shape();
    shape[axis] = end - begin;
    const Strides strides = whole.strides();
    char* first =
        static_cast<char*>(whole.data()) + static_cast<std::ptrdiff_t>(begin) * strides[axis];
    return Tensor(whole.element_type(), shape, first, strides).contiguous();
}

// The op of rows [begin, end) alone; `extent` is that of the outputs.
std::vector<Tensor> inputs_of_rows(const std::vector<Tensor>& values, const IndependentAxis& rows,
                                   std::size_t extent, std::size_t begin, std::size_t end) {
    std::vector<Tensor> parts = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t axis = rows.inputs[i];
        if (axis == IndependentAxis::kWhole) continue;
        const bool serves_all = values[i].shape()[axis] == 1 && extent != 1;
        EXPECT_TRUE(rows.broadcasts || values[i].shape()[axis] == extent);
        if (!serves_all) parts[i] = rows_of(values[i], axis, begin, end);
    }
    return parts;
}

// Each row, and all rows but the first; true where there is more than one.
bool check_rows(const ops::OpEntry& entry, const OpSample& sample,
                const std::vector<Tensor>& values, const IndependentAxis& rows) {
    const NodePtr whole = make_op(entry, sample, values);
    const auto isa = cpu::cpu_features().best();
    const auto expected = reference::evaluate(*whole, values);
    const auto expected_on_cpu = run_on_cpu(*whole, sample, values, isa);
    const std::size_t extent = expected[0].shape()[rows.outputs[0]];
    for (std::size_t begin = 0; begin < extent; ++begin) {
        for (const std::size_t end : {begin + 1, extent}) {
            SCOPED_TRACE("rows " + std::to_string(begin) + " to " + std::to_string(end));
            const auto parts = inputs_of_rows(values, rows, extent, begin, end);
            const NodePtr part = make_op(entry, sample, parts);
            const auto actual = reference::evaluate(*part, parts);
            const auto actual_on_cpu = run_on_cpu(*part, sample, parts, isa);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const std::size_t axis = rows.outputs[i];
                if (axis == IndependentAxis::kWhole) continue;
                expect_same(actual[i], rows_of(expected[i], axis, begin, end));
                expect_same(actual_on_cpu[i], rows_of(expected_on_cpu[i], axis, begin, end));
            }
        }
    }
    return extent > 1;
}

// How many axes of extents above 1 each op calls independent; each is checked.
std::map<std::string, int> independent_axes(ElementType type) {
    std::map<std::string, int> found;
    for (const OpSample& sample : op_samples()) {
        const ops::OpEntry* entry = entry_of(sample);
        const auto values = values_of(sample, type);
        NodePtr node;
        try {
            node = make_op(*entry, sample, values);
        } catch (const Error&) {
            continue;  // the op doesn't take the type
        }
        int& count = found[sample.op];
        for (std::size_t axis = 0; axis < node->output_shape(0).rank(); ++axis) {
            SCOPED_TRACE(sample.op + " of " + std::string(to_string(type)) + ", axis " +
                         std::to_string(axis));
            const auto rows = node->independent_axis(0, axis);
            if (rows && check_rows(*entry, sample, values, *rows)) ++count;
        }
    }
    return found;
}

TEST(EveryOp, ComputesIndependentRowsAlone) {
    const auto found = independent_axes(ElementType::f32);
    EXPECT_GT(independent_axes(ElementType::i32).at("MatMul"), 0);
    const std::map<std::string, int> expected{{"Add", 9},
                                              {"BitCast", 2},
                                              {"Col2Im", 1},
                                              {"Concat", 1},
                                              {"Convert", 13},
                                              {"Convolution", 2},
                                              {"DeformableConvolution", 1},
                                              {"Equal", 2},
                                              {"Floor", 2},
                                              {"Gather", 3},
                                              {"GatherND", 4},
                                              {"GRUCell", 1},
                                              {"ConvolutionBackpropData", 1},
                                              {"GroupConvolution", 3},
                                              {"AvgPool", 2},
                                              {"MVN", 6},
                                              {"MaxPool", 2},
                                              {"TopK", 7},
                                              {"LSTMSequence", 1},
                                              {"LogicalAnd", 2},
                                              {"MatMul", 7},
                                              {"RNNSequence", 1},
                                              {"ReduceSum", 13},
                                              {"Reshape", 0},
                                              {"ScatterElementsUpdate", 12},
                                              {"ScatterNDUpdate", 6},
                                              {"Select", 3},
                                              {"ShapeOf", 0},
                                              {"Slice", 1},
                                              {"SoftMax", 6},
                                              {"Split", 1},
                                              {"Squeeze", 2},
                                              {"StridedSlice", 1},
                                              {"Transpose", 3},
                                              {"Unsqueeze", 2},
                                              {"VariadicSplit", 1}};
    for (const auto& [op, count] : expected) EXPECT_EQ(found.at(op), count) << op;
}

}  // namespace
}  // namespace rondo::test::every_op_test
