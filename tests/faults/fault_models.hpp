// Small models of both formats, with inputs that fit them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rondo/core.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

struct FaultModel {
    const char* name;
    const char* path;  ///< from the source folder
};

/// A few hundred bytes to 30 KB: a sequence, a cell and variables, a Loop, an If, an ONNX loop that
/// becomes a sequence, one with lengths.
inline constexpr FaultModel kFaultModels[] = {
    {"ir_lstm", "tests/data/ir/lstm_model.xml"},
    {"ir_states", "tests/data/ir/openvino_stateful.xml"},
    {"ir_loop", "tests/data/ir/openvino_loop.xml"},
    {"ir_if", "tests/data/ir/openvino_if.xml"},
    {"onnx_loop", "tests/data/exporters/torch_script_17_loop_lstmcell/model.onnx"},
    {"onnx_gru", "tests/data/exporters/torch_graph_18_gru_2l_bi_bf/model.onnx"},
};

inline std::string path_of(const FaultModel& model) {
    return std::string(RONDO_SOURCE_DIR "/") + model.path;
}

/// One for each input; open extents are `extent`, integers 1.
inline std::vector<Tensor> inputs_of(const std::vector<PortInfo>& ports, std::int64_t extent) {
    Rng rng(7);
    std::vector<Tensor> inputs;
    for (const PortInfo& port : ports) {
        Shape shape;
        for (std::size_t i = 0; i < port.shape.rank(); ++i) {
            const Dimension& dimension = port.shape[i];
            shape.push_back(
                static_cast<std::size_t>(dimension.is_static() ? dimension.length() : extent));
        }
        const bool floats = port.element_type == ElementType::f32;
        inputs.push_back(random_tensor(port.element_type, shape, rng, floats ? -1 : 1, 1));
    }
    return inputs;
}

/// Outputs of one inference, copied.
inline std::vector<Tensor> infer_once(InferRequest& request, const std::vector<Tensor>& inputs,
                                      std::size_t outputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < outputs; ++i) {
        const Tensor output = request.get_output_tensor(i);
        results.emplace_back(output.element_type(), output.shape());
        output.copy_to(results.back());
    }
    return results;
}

inline void expect_same(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
}

}  // namespace rondo::test
