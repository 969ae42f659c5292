#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests {

namespace {

// Makes each row integers of the type times a scale of its own.
void round_to_scales(std::vector<double>& values, ElementType weights, std::int64_t rows,
                     double most, Random& random, std::vector<float>& scales) {
    const double kLimit = weights == ElementType::i8 ? 127 : kMostOfI16Weights;
    const auto row_size = rows == 0 ? 0 : values.size() / static_cast<std::size_t>(rows);
    for (const double part : random.doubles(rows)) {
        const auto scale = static_cast<float>(most * (1.5 + part) / 2.5 / kLimit);
        double* row = values.data() + scales.size() * row_size;
        for (std::size_t i = 0; i < row_size; ++i) {
            row[i] = std::clamp(std::nearbyint(row[i] / scale), -kLimit, kLimit) * scale;
        }
        scales.push_back(scale);
    }
}

// The integers that the scales make the values of.
std::vector<double> unscaled(std::vector<double> values, const std::vector<float>& scales) {
    if (scales.empty()) return values;
    const std::size_t row_size = values.size() / scales.size();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= scales[i / row_size];
    return values;
}

}  // namespace

SequenceConfig sequence_config(const CellConfig& cell, Direction direction) {
    SequenceConfig config;
    config.direction = direction;
    config.cells.assign(direction == Direction::bidirectional ? 2 : 1, cell);
    config.input_weights = cell.weights;
    if (cell.weights.type == ElementType::f64) config.data = ElementType::f64;
    return config;
}

SequenceData random_data(const SequenceConfig& config, std::int64_t batch, std::int64_t time,
                         Random& random) {
    const CellConfig& cell = config.cells[0];
    const auto directions = static_cast<std::int64_t>(config.cells.size());
    const std::int64_t hidden = cell.hidden_size, gates = directions * gates_of(cell);
    const double scale = 1.0 / std::sqrt(static_cast<double>(hidden));
    SequenceData data;
    data.batch = batch;
    data.time = time;
    data.x = random.doubles(batch * time * cell.input_size);
    data.h0 = random.doubles(batch * directions * hidden);
    data.c0 = random.doubles(batch * directions * hidden);
    data.w = random.doubles(gates * hidden * cell.input_size, scale);
    data.r = random.doubles(gates * hidden * hidden, scale);
    data.b = random.doubles(directions * biases_of(cell) * hidden);
    if (cell.peephole) data.p = random.doubles(directions * 3 * hidden);
    const ElementType type = cell.weights.type;
    if (cell.weights.integers()) {
        round_to_scales(data.w, type, gates * hidden, scale, random, data.w_scale);
        round_to_scales(data.r, type, gates * hidden, scale, random, data.r_scale);
    } else {
        round_all(data.w, config.input_weights.type);
        round_all(data.r, type);
    }
    for (auto* values : {&data.x, &data.h0, &data.c0, &data.b, &data.p}) {
        round_all(*values, config.data);
    }
    return data;
}

RecurrentSequence make_sequence(const SequenceConfig& config, Isa isa, const SequenceData& data) {
    TypedBuffer w(config.input_weights.type, unscaled(data.w, data.w_scale));
    TypedBuffer r(config.cells[0].weights.type, unscaled(data.r, data.r_scale));
    TypedBuffer b(config.data, data.b), p(config.data, data.p);
    const auto scales = [](const auto& of) { return of.empty() ? nullptr : of.data(); };
    return RecurrentSequence(config, isa,
                             {w.data(), r.data(), b.data_or_null(), p.data_or_null(),
                              scales(data.w_scale), scales(data.r_scale)});
}

SequenceOutput run_sequence(const RecurrentSequence& sequence, const SequenceData& data, Team& team,
                            const std::string& what, const std::optional<SequencePlan>& forced) {
    const ElementType type = sequence.config().data;
    SequenceArgs args = dense_args(sequence.config(), data.batch, data.time);
    const auto directions = static_cast<std::int64_t>(sequence.config().cells.size());
    const std::int64_t states = data.batch * directions * sequence.config().cells[0].hidden_size;
    TypedBuffer y(type, states * data.time), ho(type, states), co(type, states);
    TypedBuffer x(type, data.x), h0(type, data.h0), c0(type, data.c0);
    args.x = x.data();
    args.h0 = h0.data_or_null();
    args.c0 = c0.data_or_null();
    args.lengths = data.lengths.empty() ? nullptr : data.lengths.data();
    args.y = y.data();
    args.ho = ho.data();
    const bool lstm = sequence.config().cells[0].kind == CellKind::lstm;
    if (lstm) args.co = co.data();
    const SequencePlan plan =
        forced ? *forced : sequence.prepare(data.batch, data.time, team.size());
    const std::size_t bytes = plan.scratch_bytes;
    AlignedBuffer scratch(bytes / sizeof(float) + 16);
    for (std::size_t i = 0; i < scratch.size(); ++i) {
        scratch.data()[i] = std::numeric_limits<float>::quiet_NaN();
    }
    sequence.run(plan, args, team, scratch.data());
    for (std::size_t i = bytes / sizeof(float); i < scratch.size(); ++i) {
        EXPECT_TRUE(std::isnan(scratch.data()[i])) << what << ": scratch written past its end";
    }
    y.check(what + " Y");
    ho.check(what + " Ho");
    co.check(what + " Co");
    return {y.values(), ho.values(), lstm ? co.values() : std::vector<double>()};
}

std::vector<float> floats(const std::vector<double>& values) {
    return std::vector<float>(values.begin(), values.end());
}

void expect_same_bits(const SequenceOutput& got, const SequenceOutput& expected,
                      const std::string& what) {
    expect_same_bits(got.y, expected.y, what + " Y");
    expect_same_bits(got.ho, expected.ho, what + " Ho");
    expect_same_bits(got.co, expected.co, what + " Co");
}

std::vector<Isa> available_isas() {
    std::vector<Isa> isas;
    for (Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa <= cpu_features().best()) isas.push_back(isa);
    }
    return isas;
}

void expect_isas_agree(const SequenceConfig& config, Random& random) {
    SequenceData data = random_data(config, 5, 6, random);
    data.lengths = {6, 2, 0, 5, 6};
    SerialTeam team;
    const SequenceOutput plain =
        run_sequence(make_sequence(config, Isa::plain, data), data, team, "plain");
    for (Isa isa : available_isas()) {
        const SequenceOutput got =
            run_sequence(make_sequence(config, isa, data), data, team, name_of(isa));
        expect_same_bits(got, plain, std::string(to_string(config.cells[0].kind)) + name_of(isa));
    }
}

}  // namespace rondo::cpu::tests
