// Converts GRU, LSTM and RNN.
#include <array>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kLinearBeforeResetSince = 3;

// With linear_before_reset the reset gate is applied between the h biases, which stay separate:
// [Wbz+Rbz, Wbr+Rbr, Wbh, Rbh].
Output four_part_bias(NodeContext& by, RecurrentReader& reader) {
    const auto parts = by.split(reader.b(), 1, 6);
    const Output z = by.add(parts[0], parts[3]), r = by.add(parts[1], parts[4]);
    return by.concat({z, r, parts[2], parts[5]}, 1);
}

Output bias(NodeContext& by, RecurrentReader& reader, bool linear_before_reset) {
    if (!reader.b()) return reader.zero_bias(linear_before_reset ? 4 : 3);
    return linear_before_reset ? four_part_bias(by, reader) : reader.summed_bias();
}

}  // namespace

// The gates are zrh in ONNX and in the IR.
std::vector<Output> convert_gru(NodeContext& by) {
    RecurrentReader reader(by, ops::CellType::gru, read_recurrent_source(by));
    auto attributes = reader.attributes();
    if (by.opset() >= kLinearBeforeResetSince) {
        attributes.linear_before_reset = by.attribute("linear_before_reset", false);
    }
    auto sequence = std::make_shared<ops::GRUSequence>(std::vector<Output>{
        reader.x(),
        reader.initial_state(5),
        reader.lengths(),
        reader.w(),
        reader.r(),
        bias(by, reader, attributes.linear_before_reset),
    });
    sequence->set_attributes(std::move(attributes));
    return reader.finish(sequence);
}

namespace {

// ONNX's peepholes are iof, ours fio.
constexpr std::array<std::size_t, 3> kFromIof = {2, 0, 1};

}  // namespace

std::vector<Output> convert_lstm_of(NodeContext& by, const RecurrentSource& source) {
    RecurrentReader reader(by, ops::CellType::lstm, source);
    auto attributes = reader.attributes();
    attributes.input_forget = by.attribute("input_forget", false);
    const auto ordered = [&](const Output& weights) {
        return source.gates_ordered ? weights : reader.reorder(weights, kFromIofc);
    };
    std::vector<Output> inputs = {
        reader.x(),
        reader.initial_state(5),
        reader.initial_state(6),
        reader.lengths(),
        ordered(reader.w()),
        ordered(reader.r()),
        reader.b() ? reader.reorder(reader.summed_bias(), kFromIofc) : reader.zero_bias(4),
    };
    if (by.has_input(7)) inputs.push_back(reader.reorder(by.input(7), kFromIof));
    auto sequence = std::make_shared<ops::LSTMSequence>(std::move(inputs));
    sequence->set_attributes(std::move(attributes));
    return reader.finish(sequence);
}

std::vector<Output> convert_lstm(NodeContext& by) {
    return convert_lstm_of(by, read_recurrent_source(by));
}

std::vector<Output> convert_rnn(NodeContext& by) {
    RecurrentReader reader(by, ops::CellType::rnn, read_recurrent_source(by));
    auto sequence = std::make_shared<ops::RNNSequence>(std::vector<Output>{
        reader.x(),
        reader.initial_state(5),
        reader.lengths(),
        reader.w(),
        reader.r(),
        reader.b() ? reader.summed_bias() : reader.zero_bias(1),
    });
    sequence->set_attributes(reader.attributes());
    return reader.finish(sequence);
}

}  // namespace rondo::onnx
