// Every op refuses an input of axes, shapes or indices in a form that OpenVINO doesn't take, and
// such an input of a file is brought into one that it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/graph/port_forms.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/nodes/op_runs.hpp"

namespace rondo::test::every_op_ports_test {
namespace {

constexpr ElementType kTypes[] = {ElementType::i64, ElementType::i32, ElementType::i8,
                                  ElementType::u8,  ElementType::u64, ElementType::boolean,
                                  ElementType::f32};

bool is_listed(const std::string& op, std::size_t input) {
    const auto forms = port_forms_of(op);
    return std::ranges::any_of(forms, [&](const PortForm& form) { return form.input == input; });
}

// The sample's node, not validated, with an input of this type and shape at the port.
NodePtr node_with(const OpSample& sample, std::size_t port, ElementType type, const Shape& shape) {
    const bool is_logical = sample.op.find("Logical") != std::string::npos;
    const auto values = values_of(sample, is_logical ? ElementType::boolean : ElementType::f32);
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_known = sample.inputs[i].is_known && i != port;
        if (is_known) {
            inputs.push_back(make_node<ops::Constant>(values[i]));
        } else {
            inputs.push_back(
                make_node<ops::Parameter>(i == port ? type : values[i].element_type(),
                                          PartialShape(i == port ? shape : values[i].shape())));
        }
    }
    const NodePtr node = entry_of(sample)->make();
    node->set_inputs(std::move(inputs));
    node->set_name("n");
    read_attributes(*node, sample.attributes);
    return node;
}

// What it throws; empty where it takes the input.
std::string refusal(Node& node) {
    try {
        node.validate();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

// Forms that the table has may still be wrong for the sample's other inputs, such as too few axes.
// True where the node takes one.
bool expect_forms_of_table(const OpSample& sample, const PortForm& form) {
    const Shape own = sample.inputs[form.input].shape;
    Shape deeper = own;
    deeper.insert(deeper.begin(), 1);
    bool takes_one = false;
    for (const Shape& shape : {Shape{}, Shape{1}, own, deeper}) {
        for (const ElementType type : kTypes) {
            const NodePtr node = node_with(sample, form.input, type, shape);
            const bool is_taken = takes(form.rank, PartialShape(shape)) && takes(form.type, type);
            const bool is_refused = !refusal(*node).empty();
            SCOPED_TRACE(sample.op + ", " + std::string(form.name) + " " +
                         std::string(to_string(type)) + to_string(PartialShape(shape)));
            EXPECT_TRUE(is_taken || is_refused);
            takes_one = takes_one || !is_refused;
        }
    }
    return takes_one;
}

// A scalar as a vector of one element, a vector of one as a scalar, in any type of integers.
void expect_adopted(const OpSample& sample, const PortForm& form) {
    const SampleInput& own = sample.inputs[form.input];
    if (own.kind != SampleInput::Kind::integers || own.values.size() != 1) return;
    for (const Shape& shape : {Shape{}, Shape{1}}) {
        for (const ElementType type : {ElementType::i64, ElementType::i32, ElementType::u8}) {
            const NodePtr node = node_with(sample, form.input, type, shape);
            int names = 0;
            ops::adopt_ports(*node, [&](std::string_view) { return std::to_string(++names); });
            const Output& adopted = node->input(form.input);
            EXPECT_TRUE(takes(form.rank, adopted.shape()) &&
                        takes(form.type, adopted.element_type()))
                << sample.op << ", " << form.name << ": " << inferred(adopted.node());
        }
    }
}

TEST(EveryOpPorts, TakeTheFormsThatOpenvinoTakes) {
    std::set<std::string> tried, taken;
    for (const OpSample& sample : op_samples()) {
        for (const PortForm& form : port_forms_of(sample.op)) {
            if (form.input >= sample.inputs.size()) continue;
            const std::string port = sample.op + ", " + std::string(form.name);
            tried.insert(port);
            if (expect_forms_of_table(sample, form)) taken.insert(port);
            expect_adopted(sample, form);
            if (HasFailure()) return;
        }
    }
    EXPECT_GE(tried.size(), 60U);
    EXPECT_EQ(taken, tried);
}

TEST(EveryOpPorts, HaveARowIfTheyHoldNoData) {
    for (const OpSample& sample : op_samples()) {
        for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
            if (sample.inputs[i].kind != SampleInput::Kind::integers) continue;
            EXPECT_TRUE(is_listed(sample.op, i)) << sample.op << ", input " << i;
        }
    }
}

}  // namespace
}  // namespace rondo::test::every_op_ports_test
