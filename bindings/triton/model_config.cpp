#include "bindings/triton/model_config.hpp"

#include <algorithm>

#include "bindings/triton/data_types.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::triton {
namespace {

using Axes = std::vector<std::optional<std::size_t>>;

std::string described(const PortInfo& port, const char* kind) {
    return std::string(kind) + " '" + port.any_name() + "'";
}

const Json& list_of(const Json& config, const char* key) {
    static const Json none = Json::array();
    const auto at = config.find(key);
    return at == config.end() || !at->is_array() ? none : *at;
}

std::int64_t max_batch_size(const Json& config) { return config.value("max_batch_size", 0); }

bool all_rows_first(const Axes& axes, bool may_share) {
    return std::all_of(axes.begin(), axes.end(),
                       [&](const auto& axis) { return axis.has_value() ? *axis == 0 : may_share; });
}

// Streams take a row a request, so that what all rows share is the request's.
bool rows_are_first(const LoadedModel& model) {
    return model.obstacle.empty() && all_rows_first(model.input_rows, model.keeps_states) &&
           all_rows_first(model.output_rows, model.keeps_states);
}

bool has_scheduler(const Json& config) {
    return config.contains("dynamic_batching") || config.contains("sequence_batching") ||
           config.contains("ensemble_scheduling");
}

struct BatchRule {
    bool is_in_front;  ///< the server adds a batch axis in front of `dims`
    bool is_one;       ///< a step of a stream has one row, whatever the model's extent is
};

BatchRule batch_rule(const Json& config, const LoadedModel& model) {
    return {max_batch_size(config) > 0, model.keeps_states};
}

Json entry_of(const PortInfo& port, const char* kind, const std::optional<std::size_t>& rows,
              const BatchRule& batch) {
    if (!port.shape.has_rank()) {
        throw UnsupportedError(described(port, kind) +
                               " has no known rank: give its dims in config.pbtxt");
    }
    Json dims = Json::array();
    const auto& extents = port.shape.dimensions();
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (rows == i && i == 0 && batch.is_in_front) continue;
        if (rows == i && batch.is_one) {
            dims.push_back(1);
        } else {
            dims.push_back(extents[i].is_static() ? extents[i].length() : -1);
        }
    }
    Json entry{{"name", port.any_name()},
               {"data_type", config_name(triton_type(port.element_type, described(port, kind)))}};
    if (dims.empty()) {  // the server has no empty dims: a reshape to none means it
        dims.push_back(1);
        entry["reshape"] = {{"shape", Json::array()}};
    }
    entry["dims"] = std::move(dims);
    return entry;
}

void complete_ports(Json& config, const char* key, const LoadedModel& model) {
    if (!list_of(config, key).empty()) return;
    const bool is_input = key == std::string("input");
    const auto& ports = is_input ? model.compiled.inputs() : model.compiled.outputs();
    const Axes& rows = is_input ? model.input_rows : model.output_rows;
    Json entries = Json::array();
    for (std::size_t i = 0; i < ports.size(); ++i) {
        entries.push_back(entry_of(ports[i], key, rows[i], batch_rule(config, model)));
    }
    config[key] = std::move(entries);
}

// The dims that reach the backend, without the batch axis; -1: any.
std::vector<std::int64_t> dims_of(const Json& entry) {
    const auto reshape = entry.find("reshape");
    if (reshape != entry.end() && reshape->contains("shape")) {
        return reshape->at("shape").get<std::vector<std::int64_t>>();
    }
    return entry.value("dims", std::vector<std::int64_t>());
}

std::string text_of(const std::vector<std::int64_t>& dims) {
    std::string text;
    for (const auto extent : dims) text += (text.empty() ? "" : ",") + std::to_string(extent);
    return "[" + text + "]";
}

bool may_be(const std::vector<std::int64_t>& dims, const PartialShape& shape, std::size_t skip) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const Dimension& extent = shape[i + skip];
        if (dims[i] >= 0 && !extent.contains(dims[i])) return false;
    }
    return true;
}

// Compares the dims of an entry with the model's shape.
void check_dims(ConfiguredPort& port, const Json& entry, const PortInfo& info,
                const BatchRule& batch) {
    if (!info.shape.has_rank()) return;
    const auto dims = dims_of(entry);
    const std::size_t rank = info.shape.rank();
    const bool is_scalar =
        rank == 0 && std::all_of(dims.begin(), dims.end(), [](auto extent) { return extent == 1; });
    port.has_extra_axis = batch.is_in_front && batch.is_one && (is_scalar || rank == dims.size());
    const std::size_t skip = batch.is_in_front && !port.has_extra_axis ? 1 : 0;
    if (is_scalar || (rank == dims.size() + skip && may_be(dims, info.shape, skip))) return;
    throw ModelError(
        "'" + port.name + "' has dims " + text_of(dims) +
        (batch.is_in_front ? " and a batch axis in front (max_batch_size is above 0)" : "") +
        "; the model's shape is " + to_string(info.shape));
}

std::size_t index_of(const std::vector<PortInfo>& ports, const std::string& name,
                     const std::string& kind, const std::vector<std::string>& constants) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto& names = ports[i].names;
        if (std::find(names.begin(), names.end(), name) != names.end()) return i;
        known.insert(known.end(), names.begin(), names.end());
    }
    throw ModelError("the model has no " + kind + " '" + name + "'; " +
                     known_inputs(name, known, constants));
}

std::vector<ConfiguredPort> check_ports(const Json& config, const std::string& kind,
                                        const LoadedModel& model) {
    const bool is_input = kind == "input";
    const auto& ports = is_input ? model.compiled.inputs() : model.compiled.outputs();
    const auto constants = is_input ? model.compiled.constant_inputs() : std::vector<std::string>();
    std::vector<ConfiguredPort> checked;
    for (const Json& entry : list_of(config, kind.c_str())) {
        ConfiguredPort port;
        port.name = entry.value("name", "");
        port.index = index_of(ports, port.name, kind, constants);
        const PortInfo& info = ports[port.index];
        port.type = triton_type(info.element_type, described(info, kind.c_str()));
        const std::string type = entry.value("data_type", "");
        if (type != config_name(port.type)) {
            throw ModelError(kind + " '" + port.name + "' is " + type + "; the model has " +
                             config_name(port.type));
        }
        check_dims(port, entry, info, batch_rule(config, model));
        checked.push_back(std::move(port));
    }
    return checked;
}

const ConfiguredPort* find(const std::vector<ConfiguredPort>& ports, const std::string& name) {
    for (const ConfiguredPort& port : ports) {
        if (port.name == name) return &port;
    }
    return nullptr;
}

void refuse_states(const Json& config) {
    const auto batching = config.find("sequence_batching");
    if (batching == config.end() || list_of(*batching, "state").empty()) return;
    throw UnsupportedError(
        "sequence_batching has 'state': Rondo keeps the states of sequences itself. Remove it, and "
        "set the parameter stateful: auto, or h:hn,c:cn with the names of an input and an output "
        "for each state");
}

// The server joins requests of a model that has a batch, and so does the backend.
void check_batch(const Json& config, const LoadedModel& model) {
    const std::size_t most = max_batch_size(config);
    if (most == 0 || model.keeps_states || rows_are_first(model)) return;
    const std::string reason = model.obstacle.empty()
                                   ? "the first axis of an input or output isn't the batch"
                                   : model.obstacle;
    throw UnsupportedError("max_batch_size is " + std::to_string(most) +
                           ", but requests can't be joined: " + reason + "; set max_batch_size: 0");
}

}  // namespace

const ConfiguredPort* ConfiguredPorts::find_input(const std::string& name) const {
    return find(inputs, name);
}

const ConfiguredPort* ConfiguredPorts::find_output(const std::string& name) const {
    return find(outputs, name);
}

void complete_config(Json& config, const LoadedModel& model, std::size_t max_batch) {
    const bool lists_none = list_of(config, "input").empty() && list_of(config, "output").empty();
    if (lists_none && max_batch_size(config) == 0 && rows_are_first(model)) {
        config["max_batch_size"] = max_batch;
    }
    check_batch(config, model);
    complete_ports(config, "input", model);
    complete_ports(config, "output", model);
    const bool may_join =
        max_batch_size(config) > 1 && !model.keeps_states && rows_are_first(model);
    if (may_join && !has_scheduler(config)) config["dynamic_batching"] = Json::object();
}

ConfiguredPorts check_config(const Json& config, const LoadedModel& model) {
    refuse_states(config);
    check_batch(config, model);
    ConfiguredPorts ports{check_ports(config, "input", model),
                          check_ports(config, "output", model)};
    for (const PortInfo& input : model.compiled.inputs()) {
        const bool is_given =
            std::any_of(ports.inputs.begin(), ports.inputs.end(),
                        [&](auto& port) { return &model.compiled.inputs()[port.index] == &input; });
        if (!is_given) {
            throw ModelError("the configuration lacks the model's " + described(input, "input"));
        }
    }
    return ports;
}

}  // namespace rondo::triton
