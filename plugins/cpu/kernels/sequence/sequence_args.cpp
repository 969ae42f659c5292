#include "plugins/cpu/kernels/sequence/sequence_args.hpp"

#include <string>

#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// What the cells of one layer share.
bool alike(CellConfig a, const CellConfig& b) {
    a.f = b.f;
    a.g = b.g;
    a.h = b.h;
    return a == b;
}

void check_types(const SequenceConfig& config) {
    const WeightFormat& recurrent = config.cells[0].weights;
    const ElementType r = recurrent.type, w = config.input_weights.type;
    if (recurrent.rounds_rows() || config.input_weights.rounds_rows()) {
        const std::int64_t input = config.cells[0].input_size;
        const bool fits = recurrent == config.input_weights && input <= kMaxQuantized &&
                          precision_of(config.data) == Precision::f32;
        if (fits && is_floating(config.data)) return;
        const std::string type(to_string(recurrent.rounds_rows() ? r : w));
        throw ModelError("recurrent layer: with " + type +
                         " weights W and R must both have this type, the data be f32, f16 or bf16, "
                         "and input_size be no more than " +
                         std::to_string(kMaxQuantized));
    }
    for (const ElementType type : {w, config.data}) {
        if (is_floating(type) && precision_of(type) == precision_of(r)) continue;
        throw ModelError("recurrent layer: R has type " + std::string(to_string(r)) + ", W " +
                         std::string(to_string(w)) + " and the data " +
                         std::string(to_string(config.data)) +
                         "; expected f64 for all, or f32, f16 or bf16 for each");
    }
}

}  // namespace

void check_sequence_config(const SequenceConfig& config) {
    const std::size_t directions = config.direction == Direction::bidirectional ? 2 : 1;
    if (config.cells.size() != directions) {
        throw ModelError("recurrent layer: got " + std::to_string(config.cells.size()) +
                         " cells for " + std::to_string(directions) + " direction(s)");
    }
    for (const CellConfig& cell : config.cells) {
        check_cell(cell);
        if (!alike(cell, config.cells[0])) {
            throw ModelError(
                "recurrent layer: the cells of both directions may differ in their "
                "activations only");
        }
    }
    check_types(config);
}

SequenceArgs dense_args(const SequenceConfig& config, std::int64_t batch, std::int64_t time) {
    const auto directions = static_cast<std::int64_t>(config.cells.size());
    const std::int64_t input = config.cells[0].input_size, hidden = config.cells[0].hidden_size;
    SequenceArgs args;
    args.batch = batch;
    args.time = time;
    args.x_batch_stride = time * input;
    args.x_time_stride = input;
    args.y_batch_stride = directions * time * hidden;
    args.y_direction_stride = time * hidden;
    args.y_time_stride = hidden;
    args.first = args.last = {directions * hidden, hidden};
    return args;
}

}  // namespace rondo::cpu
