// What a recurrent node may leave out, in every combination, and the types and sizes it may have.
#include <gtest/gtest.h>

#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::onnx::recurrent_options_test {
namespace {

using test::ModelBuilder;
using test::OnnxRecurrent;
using test::tensor_of;

const char* const kOpTypes[] = {"LSTM", "GRU", "RNN"};
const char* const kDirections[] = {"forward", "reverse", "bidirectional"};

OnnxRecurrent full_node(const std::string& op_type, const std::string& direction,
                        bool layout = false) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = op_type, .direction = direction, .layout = layout};
    node.fill(rng, true);
    return node;
}

// B, sequence_lens, initial_h and, of an LSTM, initial_c and P: those whose bit isn't set go.
void keep(OnnxRecurrent& node, unsigned mask) {
    if ((mask & 1) == 0) node.b = Tensor();
    if ((mask & 2) == 0) node.lengths.clear();
    if ((mask & 4) == 0) node.initial_h = Tensor();
    if ((mask & 8) == 0) node.initial_c = Tensor();
    if ((mask & 16) == 0) node.p = Tensor();
}

unsigned optional_inputs(const std::string& op_type) { return op_type == "LSTM" ? 32 : 8; }

// Names at the end that are empty may also be left out.
void drop_trailing(google::protobuf::RepeatedPtrField<std::string>& names) {
    while (!names.empty() && names[names.size() - 1].empty()) names.RemoveLast();
}

TEST(OnnxRecurrentOptions, EveryCombinationOfOptionalInputs) {
    for (const char* op_type : kOpTypes) {
        for (unsigned mask = 0; mask < optional_inputs(op_type); ++mask) {
            SCOPED_TRACE(op_type + std::string(" with inputs ") + std::to_string(mask));
            auto node = full_node(op_type, kDirections[mask % 3], mask % 2 == 1);
            keep(node, mask);
            auto model = node.model();
            node.check_model(model, node.inputs());
            drop_trailing(*model.graph().mutable_node(0)->mutable_input());
            node.check_model(model, node.inputs());
        }
    }
}

TEST(OnnxRecurrentOptions, EveryCombinationOfOutputs) {
    for (const char* op_type : kOpTypes) {
        const int count = op_type == std::string("LSTM") ? 3 : 2;
        for (int mask = 1; mask < 1 << count; ++mask) {
            SCOPED_TRACE(op_type + std::string(" with outputs ") + std::to_string(mask));
            const auto node = full_node(op_type, kDirections[mask % 3], mask % 2 == 1);
            auto model = node.model();
            auto& proto = *model.graph().mutable_node(0);
            model.graph().clear_output();
            for (int k = 0; k < count; ++k) {
                if ((mask >> k & 1) != 0) {
                    model.output(proto.output(k));
                } else {
                    proto.set_output(k, "");
                }
            }
            node.check_model(model, node.inputs());
            drop_trailing(*proto.mutable_output());
            node.check_model(model, node.inputs());
        }
    }
}

// The lengths as a constant of the model instead of its second input.
ModelBuilder with_constant_lengths(const OnnxRecurrent& node, const Tensor& lengths) {
    auto model = node.model();
    model.graph().mutable_input()->DeleteSubrange(1, 1);
    model.initializer("sequence_lens", lengths);
    return model;
}

TEST(OnnxRecurrentOptions, LengthsOfEitherTypeConstantOrNot) {
    for (const char* op_type : kOpTypes) {
        for (const char* direction : kDirections) {
            SCOPED_TRACE(op_type + std::string(" ") + direction);
            auto node = full_node(op_type, direction);
            node.lengths = {0, 3};  // nothing, and all
            node.check();
            const Tensor narrow = tensor_of<std::int32_t>({2}, node.lengths);
            const Tensor wide = test::converted(narrow, ElementType::i64);
            auto inputs = node.inputs();
            inputs[1] = wide;
            auto model = node.model();
            auto& type = *model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type();
            type.set_elem_type(test::to_onnx(ElementType::i64));
            node.check_model(model, inputs);
            inputs.erase(inputs.begin() + 1);
            node.check_model(with_constant_lengths(node, narrow), inputs);
            node.check_model(with_constant_lengths(node, wide), inputs);
        }
    }
}

TEST(OnnxRecurrentOptions, LengthsOutOfRangeNameRowAndValue) {
    for (const std::int32_t bad : {-1, 4}) {
        auto node = full_node("GRU", "reverse");
        node.lengths = {3, bad};
        const std::string message =
            "node 'the_GRU' (GRU, as GRUSequence): the length of row 1 is " + std::to_string(bad) +
            "; expected 0 to 3";
        const auto graph = node.model().read();
        const auto inputs = node.inputs();
        test::expect_error<ModelError>([&] { test::on_cpu(*graph).run(inputs); }, message);
        test::expect_error<ModelError>([&] { test::on_reference(*graph).run(inputs); }, message);
        const Tensor constant = tensor_of<std::int32_t>({2}, node.lengths);
        test::expect_error<ModelError>([&] { with_constant_lengths(node, constant).read(); },
                                       message);
    }
}

struct TypeCase {
    ElementType type;
    std::int64_t opset;
    double tolerance;
};

void convert_all(OnnxRecurrent& node, ElementType type) {
    for (Tensor* tensor :
         {&node.x, &node.w, &node.r, &node.b, &node.initial_h, &node.initial_c, &node.p}) {
        if (*tensor) *tensor = test::converted(*tensor, type);
    }
}

// bfloat16 since opset 22. The expected values come from the same, rounded, inputs.
TEST(OnnxRecurrentOptions, EveryType) {
    for (const auto& [type, opset, tolerance] :
         {TypeCase{ElementType::f64, 7, 1e-6}, TypeCase{ElementType::f16, 14, 2e-3},
          TypeCase{ElementType::bf16, 22, 2e-2}}) {
        for (const char* op_type : kOpTypes) {
            SCOPED_TRACE(op_type + std::string(" ") + std::string(to_string(type)));
            auto node = full_node(op_type, "bidirectional");
            convert_all(node, type);
            const auto graph = node.model(opset).read();
            const auto inputs = node.inputs();
            convert_all(node, ElementType::f32);
            const auto expected = node.expected();
            for (auto* run :
                 {&test::on_reference, static_cast<decltype(&test::on_reference)>(
                                           [](const Graph& g) { return test::on_cpu(g); })}) {
                const auto outputs = (*run)(*graph).run(inputs);
                for (std::size_t k = 0; k < expected.size(); ++k) {
                    EXPECT_EQ(outputs[k].element_type(), type);
                    test::expect_near(test::converted(outputs[k], ElementType::f32), expected[k],
                                      tolerance);
                }
            }
        }
    }
}

// Each function in each place, with a parameter of its own in each direction.
TEST(OnnxRecurrentOptions, EveryActivation) {
    constexpr int kKinds = 11;
    for (const char* op_type : kOpTypes) {
        for (int kind = 0; kind < kKinds; ++kind) {
            auto node = full_node(op_type, "bidirectional");
            const auto name = [&](int k) { return static_cast<ops::ActivationKind>(k % kKinds); };
            for (const int d : {0, 1}) {
                node.activations.emplace_back();
                for (std::size_t place = 0; place < node.functions(); ++place) {
                    const auto k = name(kind + d * 5 + static_cast<int>(place));
                    const float step = 0.05f * static_cast<float>(place) + 0.2f * d;
                    const ops::ActivationInfo& info = ops::info_of(k);
                    node.activations.back().push_back(
                        {k, info.takes_alpha ? 0.3f + step : 0, info.takes_beta ? 0.4f - step : 0});
                }
            }
            SCOPED_TRACE(op_type + std::string(" from ") + std::string(to_string(name(kind))));
            node.check();
            node.clip = 0.6f;
            node.check();
        }
    }
}

// Neither opset_import nor types of attributes: there were none in the first files.
TEST(OnnxRecurrentOptions, FilesOfTheFirstFormat) {
    for (const char* op_type : kOpTypes) {
        const auto node = full_node(op_type, "reverse");
        auto model = node.model();
        model.message().set_ir_version(1);
        model.message().clear_opset_import();
        for (auto& attribute : *model.graph().mutable_node(0)->mutable_attribute()) {
            attribute.clear_type();
        }
        node.check_model(model, node.inputs());
        const std::string bytes = model.bytes();
        EXPECT_EQ(Core().read_model(bytes.data(), bytes.size()).outputs()[0].any_name(), "Y");
    }
}

TEST(OnnxRecurrentOptions, SmallestSizes) {
    for (const char* op_type : kOpTypes) {
        for (const char* direction : kDirections) {
            for (const std::size_t t : {1, 2}) {
                auto rng = test::test_rng();
                OnnxRecurrent node{.op_type = op_type, .direction = direction};
                node.t = t;
                node.n = node.i = node.h = 1;
                node.fill(rng, true);
                node.check();
            }
        }
    }
}

// T = 0: states pass through, whether or not there are lengths. N = 0: nothing comes out.
TEST(OnnxRecurrentOptions, NoTimeAndNoBatch) {
    for (const char* op_type : kOpTypes) {
        for (const bool layout : {false, true}) {
            for (const bool no_time : {true, false}) {
                SCOPED_TRACE(op_type + std::string(no_time ? " T = 0" : " N = 0"));
                auto node = full_node(op_type, "bidirectional", layout);
                auto rng = test::test_rng();
                (no_time ? node.t : node.n) = 0;
                node.x = Tensor(ElementType::f32, layout ? Shape{node.n, node.t, node.i}
                                                         : Shape{node.t, node.n, node.i});
                node.initial_h = test::random_tensor(ElementType::f32, node.state_shape(), rng);
                if (node.initial_c) {
                    node.initial_c = test::random_tensor(ElementType::f32, node.state_shape(), rng);
                }
                node.lengths.assign(node.n, 0);
                if (node.n > 0) node.check();
                node.lengths.clear();
                node.check();
            }
        }
    }
}

}  // namespace
}  // namespace rondo::onnx::recurrent_options_test
