#include "plugins/cpu/kernels/choice/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "plugins/cpu/kernels/machine/machine_costs.hpp"

namespace rondo::cpu {
namespace {

// Not fitted, unlike those of machine_costs.cpp. A working set of many caches costs more than its
// bytes, since its addresses miss the translation buffer.
constexpr double kFarCaches = 4;
constexpr double kFarCost = 0.15;
// What a sleeping team costs besides; depends on how deep its cores sleep.
constexpr double kWakeMicroseconds = 25.0;

// The part of `bytes`, read over and over, that a cache leaves to the next level: none if they fill
// half of it or less (the rest is for other data), all if they are twice its size or more.
double spilled(double bytes, double cache) {
    if (cache <= 0) return 1;
    return std::clamp((bytes / cache - 0.5) / 1.5, 0.0, 1.0);
}

}  // namespace

CostModel::CostModel(const CpuFeatures& features)
    : CostModel(features, machine_costs(features.vendor)) {}

// f64 has half the lanes.
double CostModel::flops_per_microsecond(Precision precision) const {
    const double narrow = precision == Precision::f64 ? 0.5 : 1.0;
    switch (features_.best()) {
        case Isa::avx512: return narrow * costs_.flops_per_microsecond;
        case Isa::avx2: return narrow * costs_.flops_per_microsecond * costs_.avx2_share;
        case Isa::plain: return narrow * 1e3;
    }
    return 1e3;
}

// VNNI multiplies and adds four bytes where f32 takes one number; else two instructions and one
// that widens do the same with two. Each plane of the rows meets each of the weights.
double CostModel::product_rate(const WeightFormat& weights, double rows) const {
    const double rate = flops_per_microsecond(weights.precision());
    if (!weights.rounds_rows()) return rate;
    constexpr double kTiles = 2.0, kChains = 0.6;
    constexpr double kFewestRows = 4;  // of tiles
    if (weights.chains_pairs()) {
        return rate * (features_.amx && rows >= kFewestRows ? kTiles : kChains);
    }
    constexpr double kFours = 4.0, kPairs = 0.7;
    const bool in_fours = numbers_of_step(features_.best(), weights, features_) == 4;
    return rate * (in_fours ? kFours : kPairs) / (weights.row_planes() * weights.weight_planes());
}

double CostModel::microseconds_per_byte(double working_set) const {
    const double from_l3 = spilled(working_set, static_cast<double>(features_.l2_bytes));
    const double from_memory = spilled(working_set, static_cast<double>(features_.l3_bytes));
    const double far = spilled(working_set, kFarCaches * static_cast<double>(features_.l2_bytes));
    const double beyond =
        (1 - from_memory) * (1 + kFarCost * far) / costs_.l3_bytes_per_microsecond +
        from_memory / costs_.memory_bytes_per_microsecond;
    return (1 - from_l3) / costs_.l2_bytes_per_microsecond + from_l3 * beyond;
}

// A matrix of weights that is read once for `flops`, as part of `working_set` bytes. Reading and
// computing overlap, except for a part of the shorter.
double CostModel::product(const WeightFormat& weights, double elements, double flops,
                          double working_set) const {
    const double bytes = static_cast<double>(weights.bytes()) * elements;
    // Widening 16-bit weights takes the time that reading them as f32 from the L2 would.
    const double widened =
        weights.bytes() == 2 && !weights.rounds_rows() ? sizeof(float) * elements : 0.0;
    const double reading = std::max(bytes * microseconds_per_byte(working_set),
                                    widened / costs_.l2_bytes_per_microsecond);
    const double rows = elements > 0 ? flops / (2 * elements) : 0;
    const double computing = flops / product_rate(weights, rows);
    return std::max(reading, computing) + costs_.overlap * std::min(reading, computing);
}

double CostModel::step(const CellConfig& config, const StepLoad& load) const {
    const WeightFormat& weights = config.weights;
    const auto rows = static_cast<double>(load.rows);
    const double units = gates_of(config) * static_cast<double>(load.units);
    const double w = units * static_cast<double>(config.input_size);
    const double r = units * static_cast<double>(config.hidden_size);
    // W is read once for a tile of steps, R at each of them; both once where there is one step.
    const double row_bytes = static_cast<double>(bytes_of(weights.precision())) * gates_of(config) *
                             static_cast<double>(config.hidden_size);
    const auto weight_bytes = static_cast<double>(weights.bytes()) * gates_of(config) *
                              static_cast<double>(config.hidden_size) *
                              static_cast<double>(config.input_size + config.hidden_size);
    const auto room =
        static_cast<double>(tile_bytes(features_, outgrows_l3(weight_bytes, features_)));
    const double tile =
        std::clamp(room / (rows * row_bytes), 1.0, std::max(1.0, static_cast<double>(load.time)));
    const double turns = load.time == 1 ? load.turns : 1;
    const double set = static_cast<double>(weights.bytes()) * (r + w / tile) * turns;
    const double peak = flops_per_microsecond(weights.precision());
    return costs_.step_microseconds + costs_.activation_flops * units * rows / peak +
           product(weights, r, 2 * r * rows, set) + product(weights, w / tile, 2 * w * rows, set);
}

// Threads wake one another.
double CostModel::team(int threads, bool awake) const {
    const double start = costs_.team_microseconds * std::log2(threads);
    return awake ? start : start + kWakeMicroseconds;
}

// What one thread computes of H, all others read.
double CostModel::meeting(const CellConfig& config, std::int64_t rows, int threads) const {
    const double exchanged = static_cast<double>(bytes_of(config.weights.precision())) *
                             (threads - 1) / threads *
                             static_cast<double>(rows * config.hidden_size);
    return costs_.meeting_microseconds * (threads - 1) +
           exchanged / costs_.exchange_bytes_per_microsecond;
}

}  // namespace rondo::cpu
