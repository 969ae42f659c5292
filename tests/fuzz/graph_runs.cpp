#include "tests/fuzz/graph_runs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include "core/ops/source/source_ops.hpp"
#include "core/runtime/device.hpp"
#include "core/runtime/plugin.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"
#include "tests/fuzz/deadline.hpp"
#include "tests/random/run_model.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

constexpr std::chrono::milliseconds kTime{1500};
constexpr std::size_t kMaxElements = 4096;
constexpr std::int64_t kMostRows = 16;
// Sums and products of larger numbers may overflow in one order and not in another.
constexpr float kLargest = 1e6F;
constexpr double kTolerance = 1e-3;
// What rounding may do to constants and inputs; it must not change a result by a tenth of the
// tolerance.
constexpr double kNudge = 1e-5;

const Device& device_of(const std::string& name) {
    static std::map<std::string, Device> devices;
    if (const auto at = devices.find(name); at != devices.end()) return at->second;
    for (const auto& plugin : builtin_plugins()) {
        if (plugin.name == name)
            return devices.emplace(name, Device(name, plugin.make())).first->second;
    }
    throw ModelError("no device '" + name + "'");
}

// Open extents are all alike, so that those of one name agree.
std::optional<Shape> small_shape(const PartialShape& shape, std::int64_t open) {
    if (!shape.has_rank()) return Shape{2, 2};
    Shape extents;
    for (const Dimension& extent : shape.dimensions()) {
        extents.push_back(static_cast<std::size_t>(std::clamp(open, extent.min(), extent.max())));
    }
    const bool is_small = std::all_of(extents.begin(), extents.end(),
                                      [](std::size_t extent) { return extent <= kMaxElements; });
    if (!is_small || extents.size() > 8 || element_count(extents) > kMaxElements)
        return std::nullopt;
    return extents;
}

// The runs' sizes of open extents: those of a batch whose size some input knows, so that the rows
// of all inputs agree. At last no elements.
std::array<std::int64_t, 4> open_extents(const Graph& graph) {
    for (const auto& parameter : graph.parameters()) {
        const PartialShape& shape = Output(parameter).shape();
        if (!shape.has_rank() || shape.rank() == 0 || !shape[0].is_static()) continue;
        const std::int64_t rows = shape[0].length();
        if (rows > 1 && rows <= kMostRows) return {rows, rows, rows, 0};
    }
    return {2, 3, 2, 0};
}

bool has_large_numbers(const Node& node) {
    const auto* constant = dynamic_cast<const ops::Constant*>(&node);
    if (constant == nullptr || constant->value().element_type() != ElementType::f32) return false;
    const Tensor& value = constant->value();
    const auto* numbers = value.data<float>();
    return !std::all_of(numbers, numbers + value.size(),
                        [](float number) { return std::abs(number) <= kLargest; });
}

// Whether no numbers are to be expected from the graph.
bool is_unpredictable(const Graph& graph) {
    bool found = false;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            found = found || node->type_name() == "RandomUniform" || has_large_numbers(*node);
        }
    });
    return found;
}

Tensor nudged(const Tensor& tensor, Rng& rng) {
    if (tensor.element_type() != ElementType::f32) return tensor;
    Tensor result(tensor.element_type(), tensor.shape());
    tensor.copy_to(result);
    auto* values = result.data<float>();
    for (std::size_t i = 0; i < result.size(); ++i) {
        values[i] *= static_cast<float>(1 + uniform(rng, -kNudge, kNudge));
    }
    return result;
}

std::shared_ptr<Graph> nudged(const Graph& graph, Rng& rng) {
    auto copy = graph.clone();
    for_each_graph(*copy, [&](Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (const auto constant = as<ops::Constant>(node)) {
                constant->set_value(nudged(constant->value(), rng));
            }
        }
    });
    return copy;
}

Outcome failed(Outcome::Kind kind, const std::exception& error) { return {kind, error.what(), {}}; }

// What a file may cause.
template <typename Action>
Outcome outcome_of(const Action& action) {
    try {
        return action();
    } catch (const ModelError& error) {
        return failed(Outcome::Kind::wrong, error);
    } catch (const UnsupportedError& error) {
        return failed(Outcome::Kind::not_done, error);
    } catch (const CancelledError& error) {
        return failed(Outcome::Kind::not_done, error);
    } catch (const OutOfMemoryError& error) {
        return failed(Outcome::Kind::not_done, error);
    } catch (const std::bad_alloc& error) {
        return failed(Outcome::Kind::not_done, error);
    }
}

// The evaluators keep denormals.
Properties properties_of(const std::string& device) {
    if (device == "CPU") return {{property::kCpuDenormalsOptimization, "NO"}};
    return {};
}

Outcome run_once(Executor& executor, const std::vector<Tensor>& inputs, std::size_t outputs) {
    const Deadline deadline(kTime);
    Outcome outcome;
    outcome.outputs.resize(outputs);
    executor.run(inputs, outcome.outputs, deadline.passed());
    for (Tensor& output : outcome.outputs) {  // the next run overwrites them
        Tensor copy(output.element_type(), output.shape());
        output.copy_to(copy);
        output = copy;
    }
    return outcome;
}

// `actual` with a NaN wherever the reference has one: what is computed from it is left open, such
// as the imaginary part of a sum.
Tensor with_nans_of(const Tensor& expected, const Tensor& actual) {
    const bool comparable = expected.element_type() == ElementType::f32 &&
                            actual.element_type() == ElementType::f32 &&
                            actual.shape() == expected.shape();
    if (!comparable) return actual;
    Tensor result(actual.element_type(), actual.shape());
    actual.copy_to(result);
    const auto* wanted = expected.data<float>();
    auto* values = result.data<float>();
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (std::isnan(wanted[i])) values[i] = wanted[i];
    }
    return result;
}

double tolerance_of(const Tensor& tensor) {
    const auto type = tensor.element_type();
    return type == ElementType::f16 || type == ElementType::bf16 ? 2e-2 : kTolerance;
}

std::string difference(const Outcome& actual, const Outcome& expected, double part) {
    using Kind = Outcome::Kind;
    if (actual.kind == Kind::not_done || expected.kind != Kind::ran) return {};
    if (actual.kind == Kind::wrong) return "failed: " + actual.message;
    for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
        const Tensor& wanted = expected.outputs[i];
        const auto text = tensor_difference(with_nans_of(wanted, actual.outputs[i]), wanted,
                                            part * tolerance_of(wanted));
        if (!text.empty()) return "output " + std::to_string(i) + " " + text;
    }
    return {};
}

// True where a run has other results, or none, when its numbers change by what rounding may do.
bool hangs_on_rounding(const Graph& graph, const std::vector<Tensor>& inputs,
                       const Outcome& expected) {
    if (expected.kind != Outcome::Kind::ran) return false;
    if (is_unpredictable(graph)) return true;
    Rng rng(1);
    for (int trial = 0; trial < 3; ++trial) {
        std::vector<Tensor> changed;
        for (const auto& input : inputs) changed.push_back(nudged(input, rng));
        const auto outcome = run_on("REFERENCE", *nudged(graph, rng), {changed}).front();
        if (outcome.kind != Outcome::Kind::ran) return true;
        if (!difference(outcome, expected, 0.1).empty()) return true;
    }
    return false;
}

}  // namespace

std::optional<Runs> small_inputs(const Graph& graph) {
    Rng rng(graph.parameters().size());
    Runs runs;
    for (const std::int64_t open : open_extents(graph)) {
        auto& inputs = runs.emplace_back();
        for (const auto& parameter : graph.parameters()) {
            const Output port(parameter, 0);
            const auto shape = small_shape(port.shape(), open);
            if (!shape || port.element_type() == ElementType::dynamic) return std::nullopt;
            inputs.push_back(random_tensor(port.element_type(), *shape, rng, -1, 2));
        }
    }
    return runs;
}

std::vector<Outcome> run_on(const std::string& device, const Graph& graph, const Runs& runs) {
    const Device& chosen = device_of(device);
    std::unique_ptr<Executable> executable;
    std::unique_ptr<Executor> executor;
    const Outcome compiled = outcome_of([&] {
        executable = chosen.plugin()->compile(graph.clone(), chosen.merged(properties_of(device)));
        executor = executable->create_executor();
        return Outcome{};
    });
    if (!executor) return std::vector(runs.size(), compiled);
    std::vector<Outcome> outcomes;
    for (const auto& inputs : runs) {
        outcomes.push_back(
            outcome_of([&] { return run_once(*executor, inputs, graph.results().size()); }));
    }
    return outcomes;
}

std::string difference(const std::vector<Outcome>& actual, const std::vector<Outcome>& expected,
                       const Graph& graph, const Runs& runs) {
    for (std::size_t run = 0; run < expected.size(); ++run) {
        const auto text = difference(actual[run], expected[run], 1);
        if (text.empty() || hangs_on_rounding(graph, runs[run], expected[run])) continue;
        return "run " + std::to_string(run) + ": " + text;
    }
    return {};
}

}  // namespace rondo::test
