// Converts GRU, LSTM and RNN.
#include "core/ops/recurrent/cells_and_sequences.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/recurrent/converters.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kLinearBeforeResetSince = 3;

// With linear_before_reset the reset gate is applied between the h biases, which stay separate:
// [Wbz+Rbz, Wbr+Rbr, Wbh, Rbh].
Output four_part_bias(NodeContext& context, RecurrentReader& reader) {
    const auto parts = make_split(context, "B/parts", reader.b(), 1, 6);
    const Output z = make_sum(context, "B/z", parts[0], parts[3]);
    const Output r = make_sum(context, "B/r", parts[1], parts[4]);
    return make_concat(context, "B", {z, r, parts[2], parts[5]}, 1);
}

Output bias(NodeContext& context, RecurrentReader& reader, bool linear_before_reset) {
    if (!reader.b()) return reader.zero_bias(linear_before_reset ? 4 : 3);
    return linear_before_reset ? four_part_bias(context, reader) : reader.summed_bias();
}

}  // namespace

// The gates are zrh in ONNX and in the IR.
std::vector<Output> convert_gru(NodeContext& context) {
    RecurrentReader reader(context, ops::CellType::gru, read_recurrent_source(context));
    auto attributes = reader.attributes();
    if (context.opset() >= kLinearBeforeResetSince) {
        attributes.linear_before_reset = context.attributes().flag("linear_before_reset", false);
    }
    auto sequence = std::make_shared<ops::GRUSequence>(std::vector<Output>{
        reader.x(),
        reader.initial_state(5, "initial_h"),
        reader.lengths(),
        reader.w(),
        reader.r(),
        bias(context, reader, attributes.linear_before_reset),
    });
    sequence->set_attributes(std::move(attributes));
    return reader.finish(sequence);
}

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
