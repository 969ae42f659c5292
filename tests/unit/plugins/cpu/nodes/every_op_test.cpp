// Every op with every element type that it takes has a kernel of its own, and gives what the
// reference gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/ops/op_list.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/nodes/op_samples.hpp"

namespace rondo::test {
namespace {

using cpu::CallSite;
using cpu::TensorInfo;

// Ops that hold or hand on tensors: the program knows them, they don't run. Ops with bodies run
// programs; the tests of control nodes run them on random graphs.
bool computes(std::string_view op) {
    if (op == "If" || op == "Loop" || op == "TensorIterator") return false;
    return op != "Assign" && op != "Const" && op != "Parameter" && op != "ReadValue" &&
           op != "Result";
}

Tensor value_of(const SampleInput& input, ElementType type, Rng& rng) {
    switch (input.kind) {
        case SampleInput::Kind::integers: return tensor_of<std::int64_t>(input.shape, input.values);
        case SampleInput::Kind::booleans:
            return random_tensor(ElementType::boolean, input.shape, rng);
        case SampleInput::Kind::data: break;
    }
    const bool is_unsigned = type == ElementType::u64 || type == ElementType::u32 ||
                             type == ElementType::u16 || type == ElementType::u8;
    return random_tensor(type, input.shape, rng, is_unsigned ? std::max(input.lo, 0.0) : input.lo,
                         input.hi);
}

std::vector<Tensor> values_of(const OpSample& sample, ElementType type) {
    auto rng = test_rng();
    std::vector<Tensor> values;
    for (const auto& input : sample.inputs) values.push_back(value_of(input, type, rng));
    return values;
}

// `is_open`: data has an open type in the graph.
NodePtr make_op(const ops::OpEntry& entry, const OpSample& sample,
                const std::vector<Tensor>& values, bool is_open = false) {
    const NodePtr node = entry.make();
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (sample.inputs[i].is_known) {
            inputs.push_back(make_node<ops::Constant>(values[i]));
        } else {
            const bool opens = is_open && sample.inputs[i].kind == SampleInput::Kind::data;
            inputs.push_back(
                make_node<ops::Parameter>(opens ? ElementType::dynamic : values[i].element_type(),
                                          PartialShape(values[i].shape())));
        }
    }
    node->set_inputs(std::move(inputs));
    node->set_name("n");
    read_attributes(*node, sample.attributes);
    node->validate();
    return node;
}

// The standard op of the sample, or Rondo's own.
const ops::OpEntry* entry_of(const OpSample& sample) {
    const ops::OpEntry* standard = ops::find_op(sample.op, "opset15");
    return standard != nullptr ? standard : ops::find_op(sample.op, kRondoOpset);
}

// Runs the node as a program would. Constants' elements are known when the call is made.
std::vector<Tensor> run_on_cpu(const Node& node, const OpSample& sample,
                               const std::vector<Tensor>& values, cpu::Isa isa) {
    const auto kernel = cpu::make_cpu_node(node, {isa});
    std::vector<TensorInfo> inputs, outputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Tensor known = sample.inputs[i].is_known ? values[i] : Tensor();
        inputs.push_back({values[i].element_type(), values[i].shape(), known, true});
    }
    std::vector<Tensor> results;
    for (const auto& [type, shape] : reference::infer_outputs(node, values)) {
        outputs.push_back({type, shape, {}, true});
        results.emplace_back(type, shape);
    }
    const auto call = kernel->prepare({inputs, outputs, 1});
    cpu::AlignedBytes scratch(call->scratch_bytes() + 1);
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const auto& value : values) from.push_back(value.data());
    for (auto& result : results) to.push_back(result.data());
    cpu::SerialTeam team;
    call->run({from, to, scratch.data(), team});
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto view = call->view(i);
        if (!view) continue;
        std::memcpy(results[i].data(),
                    static_cast<const char*>(from[view->input]) + view->byte_offset,
                    results[i].byte_size());
    }
    return results;
}

double epsilon_of(ElementType type) {
    switch (type) {
        case ElementType::f64: return std::ldexp(1.0, -52);
        case ElementType::f32: return std::ldexp(1.0, -23);
        case ElementType::f16: return std::ldexp(1.0, -10);
        case ElementType::bf16: return std::ldexp(1.0, -7);
        default: return 0;
    }
}

// False where the op doesn't take the type.
bool check(const ops::OpEntry& entry, const OpSample& sample, ElementType type, cpu::Isa isa) {
    const auto values = values_of(sample, type);
    NodePtr node;
    try {
        node = make_op(entry, sample, values);
    } catch (const Error& error) {
        // Any other refusal is a fault of the sample.
        const std::string message = error.what();
        EXPECT_TRUE(message.find("expected") != std::string::npos &&
                    (message.find("type") != std::string::npos ||
                     message.find("boolean") != std::string::npos ||
                     message.find("number") != std::string::npos ||
                     message.find("float") != std::string::npos))
            << message;
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
}  // namespace rondo::test
