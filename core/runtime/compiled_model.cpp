#include "rondo/compiled_model.hpp"

#include <algorithm>
#include <mutex>

#include "core/runtime/cache/exported_model.hpp"
#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/ports.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/errors.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo {

CompiledModel::Impl::Impl(std::shared_ptr<Plugin> plugin, std::unique_ptr<Executable> executable,
                          std::size_t streams, Properties own_properties, GiveAgain give_again)
    : plugin_(std::move(plugin)),
      executable_(std::move(executable)),
      inputs_(input_ports(*executable_->graph())),
      outputs_(output_ports(*executable_->graph())),
      constant_inputs_(rondo::constant_inputs(*executable_->graph())),
      names_({inputs_, outputs_}, constant_inputs_),
      own_properties_(std::move(own_properties)),
      give_again_(std::move(give_again)),
      runner_(streams, [this](std::size_t stream) { executable_->enter_stream(stream); }) {}

Properties CompiledModel::Impl::properties() const {
    Properties all = own_properties_;
    all.merge(executable_->properties());
    std::vector<std::string> names{property::kSupportedProperties};
    for (const auto& [name, value] : all) {
        if (name != property::kSupportedProperties) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    all[property::kSupportedProperties] = join(names, " ");
    return all;
}

std::shared_ptr<Graph> CompiledModel::Impl::whole_graph() const {
    if (!executable_->has_released()) return executable_->graph()->clone();
    const DefaultFloatModes modes;
    auto whole = executable_->make_again(give_again()());
    internal_check(whole->ordered_nodes().size() == executable_->graph()->ordered_nodes().size(),
                   "a model compiled again has another graph");
    return whole;
}

CompiledModel::Impl::GiveAgain CompiledModel::Impl::give_again() const {
    const std::lock_guard lock(give_again_mutex_);
    if (give_again_) return give_again_;
    throw ModelError("the compiled model's constants are gone: release_source() was called");
}

void CompiledModel::Impl::release_source() {
    GiveAgain released;
    {
        const std::lock_guard lock(give_again_mutex_);
        released.swap(give_again_);
    }
    if (!released) return;
    released = nullptr;
    give_back_memory();
}

Metrics CompiledModel::Impl::metrics() const {
    Metrics metrics;
    meter_->add_to(metrics);
    metrics.waiting = runner_.waiting();
    const PlanCounts plans = executable_->plan_counts();
    metrics.plans_made = plans.made;
    metrics.plan_cache_hits = plans.hits;
    return metrics;
}

const RowAxes& CompiledModel::Impl::row_axes() {
    std::call_once(row_axes_are_proven_,
                   [&] { row_axes_ = builtin_transforms().find_row_axes(*whole_graph()); });
    return row_axes_;
}

namespace {

CompiledModel::Impl& filled(const std::shared_ptr<CompiledModel::Impl>& impl) {
    if (impl == nullptr) {
        throw ModelError("the compiled model is empty; make one with Core::compile_model()");
    }
    return *impl;
}

}  // namespace

InferRequest CompiledModel::create_infer_request() {
    filled(impl_);
    return at_api_boundary(
        [&] { return InferRequest(std::make_shared<InferRequest::Impl>(impl_)); });
}

const std::vector<PortInfo>& CompiledModel::inputs() const { return filled(impl_).inputs(); }
const std::vector<PortInfo>& CompiledModel::outputs() const { return filled(impl_).outputs(); }

const std::vector<std::string>& CompiledModel::constant_inputs() const {
    return filled(impl_).constant_inputs();
}

const PortInfo& CompiledModel::input(const std::string& name) const {
    return inputs()[find_port(inputs(), name, "input", constant_inputs())];
}

const PortInfo& CompiledModel::output(const std::string& name) const {
    return outputs()[find_port(outputs(), name, "output")];
}

std::string CompiledModel::get_property(const std::string& name) const {
    const auto properties = filled(impl_).properties();
    const auto at = properties.find(name);
    if (at != properties.end()) return at->second;
    std::vector<std::string> known;
    for (const auto& [key, value] : properties) known.push_back(key);
    throw ModelError("unknown property '" + name + "'; " + known_names(name, known));
}

std::vector<KernelInfo> CompiledModel::kernels() const {
    return at_api_boundary([&] { return filled(impl_).executable().kernels(); });
}

Model CompiledModel::runtime_model() const {
    const Impl& impl = filled(impl_);
    return at_api_boundary(
        [&] { return Model(impl.executable().runtime_graph(impl.whole_graph())); });
}

void CompiledModel::release_source() {
    at_api_boundary([&] { filled(impl_).release_source(); });
}

Metrics CompiledModel::metrics() const {
    return at_api_boundary([&] { return filled(impl_).metrics(); });
}

void CompiledModel::export_model(std::ostream& stream) const {
    const Model model = runtime_model();
    at_api_boundary([&] { write_exported(*model.graph(), filled(impl_).properties(), stream); });
}

}  // namespace rondo
