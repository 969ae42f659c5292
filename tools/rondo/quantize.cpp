// `rondo quantize`: stores the weights of recurrent layers as integers, and measures what is lost
// and gained.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "benchmark/counters.hpp"
#include "difference.hpp"
#include "inputs/inputs.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"
#include "written_model.hpp"

namespace rondo::tool {
namespace {

using Tensors = std::map<std::string, Tensor>;

// Times of one model's nodes and of all of it, the least of several inferences: microseconds.
struct Timed {
    std::map<std::string, double> nodes;
    double all = std::numeric_limits<double>::infinity();
};

// A model that is run on some inputs again and again.
class Runner {
public:
    Runner(const Core& core, const Model& model, Properties properties, const Tensors& inputs)
        : compiled_(core.compile_model(model, "CPU", profiled(std::move(properties)))),
          request_(compiled_.create_infer_request()) {
        for (const auto& [name, tensor] : inputs) request_.set_tensor(name, tensor);
    }

    static Properties profiled(Properties properties) {
        properties[property::kPerfCount] = "YES";
        return properties;
    }

    void run() {
        for (auto& state : request_.query_state()) state.reset();
        request_.infer();
        const auto rows = request_.get_profiling_info();
        times_.all = std::min(times_.all, total_microseconds(rows));
        for (const auto& row : rows) {
            const auto [at, is_new] = times_.nodes.emplace(row.node_name, microseconds(row));
            if (!is_new) at->second = std::min(at->second, microseconds(row));
        }
    }

    Tensors outputs() {
        Tensors tensors;
        const auto ports = compiled_.outputs();
        for (std::size_t i = 0; i < ports.size(); ++i) {
            tensors[ports[i].any_name()] = request_.get_output_tensor(i);
        }
        return tensors;
    }

    const Timed& times() const { return times_; }

private:
    CompiledModel compiled_;
    InferRequest request_;
    Timed times_;
};

// How far an output is from that of f32.
struct OutputError {
    std::string name;
    std::string other_shape;  // if it has another one: both; nothing below is known then
    double relative = 0;      // root mean square of the difference over that of the output
    double max_abs = 0;       // infinite if one of both is no number
    std::optional<double> same_choice;  // the part of rows whose largest element stays the same
};

std::size_t largest_of(const Tensor& tensor, std::size_t first, std::size_t count) {
    std::size_t best = first;
    for (std::size_t i = first; i < first + count; ++i) {
        if (element_of(tensor, i) > element_of(tensor, best)) best = i;
    }
    return best;
}

// Rows of the last axis.
std::optional<double> same_choices(const Tensor& got, const Tensor& expected) {
    const std::size_t count = got.shape().empty() ? 1 : got.shape().back();
    if (count < 2 || got.size() == 0 || !is_floating(got.element_type())) return {};
    std::size_t same = 0;
    for (std::size_t first = 0; first < got.size(); first += count) {
        same += largest_of(got, first, count) == largest_of(expected, first, count) ? 1 : 0;
    }
    return static_cast<double>(same) * static_cast<double>(count) / static_cast<double>(got.size());
}

OutputError error_of(const std::string& name, const Tensor& got, const Tensor& expected) {
    OutputError error;
    error.name = name;
    if (got.shape() != expected.shape()) {
        error.other_shape = to_string(got.shape()) + " instead of " + to_string(expected.shape());
        return error;
    }
    double power = 0, noise = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto value = static_cast<double>(element_of(expected, i));
        const auto now = static_cast<double>(element_of(got, i));
        if (value == now || (std::isnan(value) && std::isnan(now))) {
            if (std::isfinite(value)) power += value * value;
            continue;
        }
        const double difference = std::abs(now - value);
        const double size =
            std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
        power += value * value;
        noise += size * size;
        error.max_abs = std::max(error.max_abs, size);
    }
    error.relative = noise == 0 ? 0 : std::sqrt(noise / power);
    error.same_choice = same_choices(got, expected);
    return error;
}

struct Measured {
    Timed before, after;
    std::vector<OutputError> errors;
};

Measured measure(const Core& core, const Model& before, const Model& after,
                 const Properties& properties, const Tensors& inputs) {
    constexpr int kRounds = 20;
    Runner old(core, before, properties, inputs), now(core, after, properties, inputs);
    for (int round = 0; round < kRounds; ++round) {
        old.run();
        now.run();
    }
    Measured measured{old.times(), now.times(), {}};
    const Tensors expected = old.outputs();
    for (const auto& [name, got] : now.outputs()) {
        measured.errors.push_back(error_of(name, got, expected.at(name)));
    }
    return measured;
}

// "12.1 us instead of 40.2 us", if both models ran the layer as a node of its own.
std::string time_text(const Measured& measured, const std::string& name) {
    const auto before = measured.before.nodes.find(name), after = measured.after.nodes.find(name);
    if (before == measured.before.nodes.end() || after == measured.after.nodes.end()) return "";
    if (before->second == 0) return "";
    return ", " + duration_text(after->second / 1000) + " instead of " +
           duration_text(before->second / 1000);
}

void print_layer(const LayerQuantization& layer, const std::optional<Measured>& measured) {
    std::cout << "layer '" << layer.name << "' (" << layer.type << "): ";
    if (!layer.kept.empty()) {
        std::cout << "unchanged, " << layer.kept;
        if (layer.decibels > 0) std::cout << formatted(" (%.1f dB)", layer.decibels);
        std::cout << '\n';
        return;
    }
    std::cout << formatted("%.1f dB", layer.decibels) << ", "
              << bytes_text(static_cast<double>(layer.new_bytes)) << " instead of "
              << bytes_text(static_cast<double>(layer.bytes));
    if (measured) std::cout << time_text(*measured, layer.name);
    std::cout << '\n';
}

void print_measured(const Measured& measured) {
    for (const auto& error : measured.errors) {
        std::cout << "output '" << error.name
                  << "': " << formatted("relative error %.2g", error.relative)
                  << formatted(", at most %.2g", error.max_abs);
        if (error.same_choice) {
            std::cout << formatted("; the largest of a row stays in %.2f %%",
                                   100 * *error.same_choice);
        }
        std::cout << '\n';
    }
    std::cout << "an inference: " << duration_text(measured.after.all / 1000) << " instead of "
              << duration_text(measured.before.all / 1000) << '\n';
}

// JSON has no number for infinity.
nlohmann::json json_number(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(formatted("%g", value));
}

nlohmann::json to_json(const std::vector<LayerQuantization>& layers,
                       const std::optional<Measured>& measured) {
    nlohmann::json report = {{"layers", nlohmann::json::array()}};
    for (const auto& layer : layers) {
        nlohmann::json entry = {{"name", layer.name},
                                {"type", layer.type},
                                {"quantized", layer.kept.empty()},
                                {"bytes", layer.bytes},
                                {"new_bytes", layer.new_bytes}};
        if (!layer.kept.empty()) entry["kept"] = layer.kept;
        if (std::isfinite(layer.decibels)) entry["decibels"] = layer.decibels;
        report["layers"].push_back(std::move(entry));
    }
    if (!measured) return report;
    report["outputs"] = nlohmann::json::array();
    for (const auto& error : measured->errors) {
        nlohmann::json entry = {{"output", error.name}};
        if (error.other_shape.empty()) {
            entry["relative_error"] = json_number(error.relative);
            entry["max_abs_error"] = json_number(error.max_abs);
        } else {
            entry["other_shape"] = error.other_shape;
        }
        if (error.same_choice) entry["same_choice"] = *error.same_choice;
        report["outputs"].push_back(std::move(entry));
    }
    report["microseconds"] = {{"before", measured->before.all}, {"after", measured->after.all}};
    return report;
}

// The inputs to measure with; empty if shapes are open and none are given.
std::optional<Tensors> inputs_for(const Model& model, const QuantizeOptions& options) {
    const auto ports = model.inputs();
    const bool is_open = std::any_of(ports.begin(), ports.end(),
                                     [](const PortInfo& port) { return !port.shape.is_static(); });
    if (is_open && options.inputs.empty() && options.data_shape.empty()) return {};
    return read_or_make_inputs(model, options.inputs, options.data_shape, options.seed);
}

std::string options_text(const QuantizeOptions& options) {
    std::string kept;
    for (const auto& name : options.keep) kept += (kept.empty() ? "" : " ") + name;
    const std::string least =
        options.least_weights == 0 ? "" : std::to_string(options.least_weights);
    return typed_text({{"--format", options.format},
                       {"--keep", kept},
                       {"--least-db", formatted("%g", options.least_decibels)},
                       {"--least-weights", least}},
                      options.properties.keep_inputs);
}

// ONNX has DynamicQuantizeLSTM alone.
bool loses_rounding(const std::vector<LayerQuantization>& layers, const std::string& format) {
    return std::any_of(layers.begin(), layers.end(), [&](const LayerQuantization& layer) {
        return layer.kept.empty() && (format != "w8r8" || layer.type != "LSTMSequence");
    });
}

}  // namespace

int quantize(const QuantizeOptions& options) {
    const std::string format = written_format(options.output);
    const Core core = core_for(options.properties);
    const Model model = core.read_model(options.model);
    const auto inputs = options.measures ? inputs_for(model, options) : std::nullopt;
    Model quantized = model.clone();
    QuantizationOptions wanted{options.format, options.keep, options.least_decibels};
    if (options.least_weights > 0) wanted.least_weights = options.least_weights;
    const auto layers = quantized.quantize(wanted);
    set_origin(quantized, options.model, options_text(options));
    save_model(quantized, options.output);
    const bool keeps_rounding = format == "ir" || !loses_rounding(layers, options.format);
    std::optional<Measured> measured;
    std::string unmeasured = options.measures ? "inputs have open extents; --data or --data_shape "
                                                "measures what is lost"
                                              : "";
    try {
        if (inputs)
            measured =
                measure(core, model, quantized, parse_properties(options.properties), *inputs);
    } catch (const Error& error) {  // the file is written
        unmeasured = std::string("what is lost can't be measured: ") + error.what();
    }
    if (options.json) {
        nlohmann::json report = to_json(layers, measured);
        report["keeps_rounding"] = keeps_rounding;
        if (!measured && !unmeasured.empty()) report["unmeasured"] = unmeasured;
        std::cout << json_text(report) << '\n';
        return 0;
    }
    std::size_t count = 0;
    for (const auto& layer : layers) {
        print_layer(layer, measured);
        count += layer.kept.empty() ? 1 : 0;
    }
    if (measured) {
        print_measured(*measured);
    } else if (!unmeasured.empty()) {
        std::cout << "note: " << unmeasured << '\n';
    }
    if (!keeps_rounding) {
        std::cout << "note: ONNX can't say that rows may be rounded, except for LSTM as w8r8: "
                     "layers of integers read from it run in f32\n";
    }
    std::cout << written_files(format, options.output, false) << ": " << count << " of "
              << counted(layers.size(), "recurrent layer") << " as " << options.format << '\n';
    return 0;
}

}  // namespace rondo::tool
