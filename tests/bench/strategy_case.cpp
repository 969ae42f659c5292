#include "tests/bench/strategy_case.hpp"

#include <utility>

#include "rondo/error.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr std::pair<const char*, CellKind> kKinds[] = {
    {"lstm", CellKind::lstm},
    {"gru1", CellKind::gru_linear_before_reset},
    {"gru0", CellKind::gru},
    {"rnn", CellKind::rnn},
};

ElementType element_type_of(const std::string& name) {
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
        if (name == to_string(type)) return type;
    }
    throw ModelError("--weights: unknown type '" + name + "'; expected f32, f16 or bf16");
}

// Every size, direction and number of threads of one layer.
void add_sizes(const StrategyGrid& grid, StrategyCase shape, std::vector<StrategyCase>& cases) {
    for (const std::int64_t batch : grid.batch) {
        for (const std::int64_t time : grid.time) {
            for (const int threads : grid.threads) {
                shape.batch = batch;
                shape.time = time;
                shape.threads = threads;
                cases.push_back(shape);
            }
        }
    }
}

}  // namespace

CellKind cell_kind_of(const std::string& name) {
    for (const auto& [key, kind] : kKinds) {
        if (name == key) return kind;
    }
    throw ModelError("--kinds: unknown cell '" + name + "'; expected lstm, gru1, gru0 or rnn");
}

const char* short_name_of(CellKind kind) {
    for (const auto& [key, value] : kKinds) {
        if (kind == value) return key;
    }
    return "?";
}

std::vector<StrategyCase> cases_of(const StrategyGrid& grid) {
    std::vector<StrategyCase> cases;
    for (const std::string& kind : grid.kinds) {
        for (const std::string& weights : grid.weights) {
            for (const std::int64_t hidden : grid.hidden) {
                for (const int directions : grid.directions) {
                    StrategyCase shape;
                    shape.kind = cell_kind_of(kind);
                    shape.weights = element_type_of(weights);
                    shape.hidden = hidden;
                    shape.directions = directions;
                    add_sizes(grid, shape, cases);
                }
            }
        }
    }
    return cases;
}

}  // namespace rondo::cpu::bench
