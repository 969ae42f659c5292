// ONNX's own node tests on disk: a model, and data sets of input and output messages.
#pragma once

#include <string>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::test {

/// RONDO_ONNX_NODE_DATA, else the folder of Debian's libonnx-testdata.
std::string onnx_node_data_dir();

/// The folders in there of LSTM, GRU and RNN, sorted: "test_lstm_defaults". Empty where it is
/// absent.
std::vector<std::string> recurrent_node_tests();

/// The folders of models that consist of operators which Rondo lists, sorted; without those that it
/// refuses for their types or for what they ask (strings, sequences, training).
std::vector<std::string> readable_node_tests();

struct OnnxDataSet {
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
};

/// test_data_set_0, test_data_set_1, ... of a folder.
std::vector<OnnxDataSet> read_data_sets(const std::string& folder);

}  // namespace rondo::test
