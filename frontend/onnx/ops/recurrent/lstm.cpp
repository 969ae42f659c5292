// Converts LSTM.
#include "core/ops/recurrent/lstm_sequence.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/recurrent/converters.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"

namespace rondo::onnx {
namespace {

// ONNX's peepholes are iof, ours fio.
const std::vector<std::size_t> kFromIof = {2, 0, 1};

}  // namespace

std::vector<Output> convert_lstm_of(NodeContext& context, const RecurrentSource& source) {
    RecurrentReader reader(context, ops::CellType::lstm, source);
    auto attributes = reader.attributes();
    attributes.input_forget = context.attributes().flag("input_forget", false);
    const std::vector<std::size_t> gates(kFromIofc.begin(), kFromIofc.end());
    const auto ordered = [&](const char* role, const Output& weights) {
        return source.gates_ordered ? weights : reader.reorder(role, weights, gates);
    };
    std::vector<Output> inputs = {
        reader.x(),
        reader.initial_state(5, "initial_h"),
        reader.initial_state(6, "initial_c"),
        reader.lengths(),
        ordered("W", reader.w()),
        ordered("R", reader.r()),
        reader.b() ? reader.reorder("B", reader.summed_bias(), gates) : reader.zero_bias(4),
    };
    if (context.has_input(7)) inputs.push_back(reader.reorder("P", context.input(7), kFromIof));
    auto sequence = std::make_shared<ops::LSTMSequence>(std::move(inputs));
    sequence->set_attributes(std::move(attributes));
    return reader.finish(sequence);
}

std::vector<Output> convert_lstm(NodeContext& context) {
    return convert_lstm_of(context, read_recurrent_source(context));
}

}  // namespace rondo::onnx
