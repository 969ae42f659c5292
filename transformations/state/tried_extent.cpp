#include "transformations/state/tried_extent.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/ops/source/parameter.hpp"
#include "core/runtime/frontend.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

namespace rondo::passes {
namespace {

// Two numbers of rows that no constant of a model is likely to be.
constexpr std::int64_t kRows = 7;
constexpr std::int64_t kOtherRows = 5;
// So many axes are tried.
constexpr std::size_t kMostAxes = 16;
// What other open axes are: long enough for the windows of one model, short enough for another.
constexpr std::array<std::int64_t, 5> kLengths{1536, 512, 288, 96, 11};

class Trial {
public:
    Trial(const Graph& graph, const std::vector<StatePorts>& states,
          const std::vector<InputAxis>& open)
        : graph_(graph), states_(states), open_(open) {}

    // Whether the states must have as many rows as that axis: the first lengths with which the
    // model runs decide.
    bool agrees(const InputAxis& axis) const {
        for (const std::int64_t length : kLengths) {
            if (runs(axis, kRows, length)) return !runs(axis, kOtherRows, length);
        }
        return false;
    }

    bool is_state(std::size_t input) const {
        return std::any_of(states_.begin(), states_.end(),
                           [&](const StatePorts& state) { return state.input == input; });
    }

private:
    bool runs(const InputAxis& axis, std::int64_t rows, std::int64_t length) const;

    const Graph& graph_;
    const std::vector<StatePorts>& states_;
    const std::vector<InputAxis>& open_;
};

bool Trial::runs(const InputAxis& axis, std::int64_t rows, std::int64_t length) const {
    const auto copy = graph_.clone();
    std::vector<PartialShape> shapes;
    for (const auto& parameter : copy->parameters()) shapes.push_back(parameter->output_shape(0));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (is_state(i) || !shapes[i].has_rank()) continue;
        for (std::size_t j = 0; j < shapes[i].rank(); ++j) {
            if (!shapes[i][j].is_static()) shapes[i][j] = length;
        }
    }
    shapes[axis.input][axis.axis] = kRows;
    for (const InputAxis& state : open_) shapes[state.input][state.axis] = rows;
    try {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            as<ops::Parameter>(copy->parameters()[i])->set_shape(shapes[i]);
        }
        copy->validate();
        run_portable_passes(*copy, {});  // choices that depend on shapes are made now
    } catch (const ModelError&) {
        return false;
    } catch (const UnsupportedError&) {
        return false;
    }
    return std::all_of(states_.begin(), states_.end(), [&](const StatePorts& state) {
        return copy->results()[state.output]->output_shape(0).intersect(shapes[state.input]);
    });
}

}  // namespace

std::optional<InputAxis> tried_extent(const Graph& graph, const std::vector<StatePorts>& states,
                                      const std::vector<InputAxis>& open) {
    const Trial trial(graph, states, open);
    std::optional<InputAxis> found;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
        const PartialShape& shape = graph.parameters()[i]->output_shape(0);
        if (trial.is_state(i) || !shape.has_rank()) continue;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
            if (shape[axis].is_static()) continue;
            if (++tried > kMostAxes) return {};
            if (!trial.agrees({i, axis})) continue;
            if (found) return {};
            found = InputAxis{i, axis};
        }
    }
    return found;
}

}  // namespace rondo::passes
