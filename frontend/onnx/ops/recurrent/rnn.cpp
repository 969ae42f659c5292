// Converts RNN.
#include "core/ops/recurrent/rnn_sequence.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/recurrent/converters.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"

namespace rondo::onnx {

std::vector<Output> convert_rnn(NodeContext& context) {
    RecurrentReader reader(context, ops::CellType::rnn, read_recurrent_source(context));
    auto sequence = std::make_shared<ops::RNNSequence>(std::vector<Output>{
        reader.x(),
        reader.initial_state(5, "initial_h"),
        reader.lengths(),
        reader.w(),
        reader.r(),
        reader.b() ? reader.summed_bias() : reader.zero_bias(1),
    });
    sequence->set_attributes(reader.attributes());
    return reader.finish(sequence);
}

}  // namespace rondo::onnx
