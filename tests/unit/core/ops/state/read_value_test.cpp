// Tests a part of core/ops/state/variables.hpp.
#include "core/ops/state/variables.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::read_value_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

const std::map<std::string, std::string> kState{
    {"variable_id", "v"}, {"variable_type", "f32"}, {"variable_shape", "?,3"}};

std::shared_ptr<ops::ReadValue> read_value(std::vector<Output> inputs,
                                           std::map<std::string, std::string> texts = kState) {
    auto node = unchecked<ops::ReadValue>(std::move(inputs));
    read_attributes(*node, texts);
    return node;
}

std::map<std::string, std::string> with(const std::string& name, const std::string& value) {
    auto texts = kState;
    texts[name] = value;
    return texts;
}

TEST(ReadValue, HasTheVariablesTypeAndShape) {
    const auto bare = read_value({});
    bare->validate();
    EXPECT_EQ(inferred(*bare), "f32[?,3]");
    EXPECT_FALSE(bare->has_init());
    const auto started = read_value({parameter("2,3")});
    started->validate();
    EXPECT_EQ(inferred(*started), "f32[?,3]");  // later values may have other extents
    EXPECT_TRUE(started->has_init());
    EXPECT_FALSE(started->known_value(0));
}

TEST(ReadValue, TheInitInputMayTellTheType) {
    const auto node = read_value({parameter("2", ElementType::i32)},
                                 {{"variable_id", "v"}, {"variable_type", "dynamic"}});
    node->validate();
    EXPECT_EQ(inferred(*node), "i32[...]");
}

TEST(ReadValue, SaysWhatIsWrong) {
    const auto expect_refused = [](const std::shared_ptr<ops::ReadValue>& node,
                                   const std::string& message) {
        expect_error<ModelError>([&] { node->validate(); }, message);
    };
    expect_refused(read_value({}, with("variable_id", "")),
                   "node 'n' (ReadValue): variable_id is missing or empty");
    expect_refused(read_value({}, with("variable_type", "dynamic")),
                   "variable_type is missing or 'dynamic', and there is no init input");
    expect_refused(read_value({}, with("variable_shape", "...")),
                   "variable_shape has no rank, and there is no init input");
    expect_refused(read_value({parameter("2,3", ElementType::f16)}),
                   "the init input is f16; expected the variable's type f32");
    expect_refused(read_value({parameter("2,4")}),
                   "the init input has shape [2,4]; expected the variable's [?,3]");
    expect_refused(read_value({parameter("2,3"), parameter("2,3")}), "inputs");
}

TEST(ReadValue, ReadsAndWritesItsAttributes) {
    const auto node = read_value({});
    const Texts expected{{"variable_id", "v"}, {"variable_type", "f32"}, {"variable_shape", "?,3"}};
    EXPECT_EQ(attributes_of(*node), expected);
    EXPECT_EQ(ops::find_op("ReadValue", "opset6")->type->opset, 6);
    EXPECT_EQ(ops::find_op("ReadValue", "opset13")->type->opset, 6);
}

// It would have to be pure: folding and sharing rely on that.
TEST(ReadValue, HasNoEvaluator) {
    EXPECT_EQ(reference::find_evaluator(ops::ReadValue::kType), nullptr);
    EXPECT_EQ(reference::find_evaluator(ops::ReadValue3::kType), nullptr);
}

TEST(ReadValue3, FollowsItsInitInput) {
    const auto node = unchecked<ops::ReadValue3>({parameter("?,3", ElementType::f16)});
    node->set_variable_id("v");
    node->validate();
    EXPECT_EQ(inferred(*node), "f16[?,3]");
    EXPECT_EQ(attributes_of(*node), (Texts{{"variable_id", "v"}}));
    EXPECT_EQ(ops::find_op("ReadValue", "opset5")->type->opset, 3);
}

TEST(ReadValue3, SaysWhatIsWrong) {
    const auto nameless = unchecked<ops::ReadValue3>({parameter("2")});
    expect_error<ModelError>([&] { nameless->validate(); }, "variable_id is missing or empty");
    const auto bare = unchecked<ops::ReadValue3>({});
    bare->set_variable_id("v");
    expect_error<ModelError>([&] { bare->validate(); }, "node 'n' (ReadValue): ");
}

}  // namespace
}  // namespace rondo::read_value_test
