#include "core/runtime/device_adapter.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "core/ops/state/variables.hpp"
#include "core/runtime/plugins/plugin_library.hpp"
#include "core/runtime/ports.hpp"
#include "core/runtime/variable_value.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// What a device has made wrong.
[[noreturn]] void refuse(const std::string& place, const std::string& what) {
    throw Error(placed(place, what));
}

// Whether both have bytes in common; `a` and `b` are contiguous.
bool overlap(const Tensor& a, const Tensor& b) {
    if (!a || !b) return false;
    const auto* a_begin = static_cast<const std::byte*>(a.data());
    const auto* b_begin = static_cast<const std::byte*>(b.data());
    return std::less<>()(a_begin, b_begin + b.byte_size()) &&
           std::less<>()(b_begin, a_begin + a.byte_size());
}

class AdaptedExecutor final : public Executor {
public:
    AdaptedExecutor(std::string place, const Graph& graph, std::unique_ptr<DeviceRequest> request)
        : place_(std::move(place)),
          outputs_(output_ports(graph)),
          variables_(variable_values(graph)),
          request_(std::move(request)) {}

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override {
        DeviceInference inference;
        inference.inputs.assign(inputs.begin(), inputs.end());
        inference.outputs.assign(outputs.begin(), outputs.end());
        for (const VariableValue& variable : variables_) {
            inference.variables.push_back({variable.name(), variable.value()});
        }
        inference.cancelled = &cancelled;
        at_plugin(place_, [&] { request_->run(inference); });
        check_outputs(inference);
        keep_outputs(inference, inputs, outputs);
        keep_variables(inference);
    }

    std::span<VariableValue> variables() override { return variables_; }
    std::vector<ProfilingInfo> profiling() const override {
        return at_plugin(place_, [&] { return request_->profiling(); });
    }

private:
    void check_outputs(const DeviceInference& inference) const;
    void keep_outputs(const DeviceInference& inference, std::span<const Tensor> inputs,
                      std::span<Tensor> outputs) const;
    void keep_variables(const DeviceInference& inference);
    const Tensor& next_value(const DeviceInference& inference, const VariableValue& variable) const;

    std::string place_;
    std::vector<PortInfo> outputs_;
    std::vector<VariableValue> variables_;
    std::unique_ptr<DeviceRequest> request_;
};

void AdaptedExecutor::check_outputs(const DeviceInference& inference) const {
    if (inference.outputs.size() != outputs_.size()) {
        refuse(place_, "gave " + counted(inference.outputs.size(), "output") + "; expected " +
                           std::to_string(outputs_.size()));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const PortInfo& port = outputs_[i];
        const Tensor& output = inference.outputs[i];
        if (!output) refuse(place_, "left " + describe(port, "output") + " empty");
        if (output.element_type() == port.element_type && port.shape.contains(output.shape())) {
            continue;
        }
        refuse(place_, "gave " + text_of(output) + " for " + describe(port, "output"));
    }
}

// What shares memory with an input or a variable is copied: those change before the next run.
void AdaptedExecutor::keep_outputs(const DeviceInference& inference, std::span<const Tensor> inputs,
                                   std::span<Tensor> outputs) const {
    const auto is_others = [&](const Tensor& output) {
        const auto is_shared = [&](const Tensor& other) { return overlap(output, other); };
        return std::any_of(inputs.begin(), inputs.end(), is_shared) ||
               std::any_of(variables_.begin(), variables_.end(),
                           [&](const VariableValue& one) { return is_shared(one.value()); });
    };
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Tensor output = inference.outputs[i].contiguous();
        if (!outputs[i]) {
            outputs[i] = is_others(output) ? copy_of(output) : output;
            continue;
        }
        if (output.shape() != outputs[i].shape()) {
            throw ModelError(describe(outputs_[i], "output") + ": the output tensor is " +
                             text_of(outputs[i]) + "; expected " + text_of(output));
        }
        if (output.data() != outputs[i].data()) output.copy_to(outputs[i]);
    }
}

const Tensor& AdaptedExecutor::next_value(const DeviceInference& inference,
                                          const VariableValue& variable) const {
    const auto at = std::find_if(inference.variables.begin(), inference.variables.end(),
                                 [&](const auto& one) { return one.name == variable.name(); });
    if (at == inference.variables.end() || !at->next) {
        refuse(place_, "gave no next value for variable '" + variable.name() + "'");
    }
    if (at->next.element_type() != variable.type() ||
        !variable.shape().contains(at->next.shape())) {
        refuse(place_, "gave " + text_of(at->next) + " for variable '" + variable.name() + "' " +
                           text_of(variable.type(), variable.shape()));
    }
    return at->next;
}

// All are staged before one changes, so a run that fails here changes no variable.
void AdaptedExecutor::keep_variables(const DeviceInference& inference) {
    for (VariableValue& variable : variables_) {
        const Tensor& next = next_value(inference, variable);
        next.copy_to(variable.stage(next.shape()));
    }
    for (VariableValue& variable : variables_) variable.commit();
}

class AdaptedExecutable final : public Executable {
public:
    AdaptedExecutable(std::string place, std::shared_ptr<const Graph> graph, Properties properties,
                      std::unique_ptr<DeviceModel> model)
        : place_(std::move(place)),
          graph_(std::move(graph)),
          properties_(std::move(properties)),
          model_(std::move(model)) {}

    std::unique_ptr<Executor> create_executor() override {
        auto request = at_plugin(place_, [&] { return model_->create_request(); });
        if (request == nullptr) refuse(place_, "made no request");
        return std::make_unique<AdaptedExecutor>(place_, *graph_, std::move(request));
    }
    std::shared_ptr<const Graph> graph() const override { return graph_; }
    std::vector<KernelInfo> kernels() const override {
        return at_plugin(place_, [&] { return model_->kernels(); });
    }
    Properties properties() const override {
        Properties all = at_plugin(place_, [&] { return model_->properties(); });
        all.insert(properties_.begin(), properties_.end());
        const auto streams = all.find(property::kNumStreams);
        all.emplace(property::kOptimalNumberOfInferRequests,
                    streams == all.end() ? "1" : streams->second);
        return all;
    }
    std::shared_ptr<Graph> runtime_graph(std::shared_ptr<Graph> copy) const override {
        const Model model = at_plugin(place_, [&] { return model_->runtime_model(); });
        return model ? model.graph()->clone() : copy;
    }

private:
    std::string place_;
    std::shared_ptr<const Graph> graph_;
    Properties properties_;
    std::unique_ptr<DeviceModel> model_;
};

class AdaptedPlugin final : public Plugin {
public:
    AdaptedPlugin(std::string name, std::unique_ptr<DevicePlugin> plugin)
        : name_(std::move(name)), place_("device " + name_), plugin_(std::move(plugin)) {}

    Version version() const override {
        return at_plugin(place_, [&] { return plugin_->version(); });
    }
    Properties properties() const override {
        Properties all = own_properties();
        all.emplace(property::kExecutionDevices, name_);
        all.emplace(property::kFullDeviceName, version().description);
        return all;
    }
    void check_property(const std::string& name, const std::string& value) const override {
        at_plugin(place_, [&] { plugin_->check_property(name, value); });
    }

    // The plugin gets another copy than the one that says what goes in and out.
    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                        const Properties& properties) override {
        ops::variables_of(*graph);  // refuses those that don't fit
        Properties settings;
        for (const auto& [name, value] : own_properties()) {
            const auto at = properties.find(name);
            if (at != properties.end() && !is_read_only(name)) settings.insert(*at);
        }
        const Model model(graph->clone());
        auto compiled = at_plugin(place_, [&] { return plugin_->compile(model, settings); });
        if (compiled == nullptr) refuse(place_, "compiled no model");
        return std::make_unique<AdaptedExecutable>(place_, std::move(graph), properties,
                                                   std::move(compiled));
    }

private:
    Properties own_properties() const {
        return at_plugin(place_, [&] { return plugin_->properties(); });
    }

    std::string name_;
    std::string place_;
    std::unique_ptr<DevicePlugin> plugin_;
};

}  // namespace

std::unique_ptr<Plugin> adapt_plugin(const std::string& name,
                                     std::unique_ptr<DevicePlugin> plugin) {
    return std::make_unique<AdaptedPlugin>(name, std::move(plugin));
}

}  // namespace rondo
