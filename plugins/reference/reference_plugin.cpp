#include "plugins/reference/reference_plugin.hpp"

#include "core/runtime/properties/limit_properties.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "plugins/reference/reference_executor.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

Properties device_properties() {
    return {
        {property::kExecutionDevices, "REFERENCE"},
        {property::kFullDeviceName, "Rondo reference evaluators"},
        {property::kOptimalNumberOfInferRequests, "1"},
        {property::kOptimizationCapabilities, "FP32"},
        {property::kPerfCount, "NO"},
        {property::kSupportedProperties, property::kPerfCount},
    };
}

class ReferenceExecutable final : public Executable {
public:
    ReferenceExecutable(ReferenceProgram program, Properties properties)
        : program_(std::make_shared<const ReferenceProgram>(std::move(program))),
          properties_(std::move(properties)) {}

    std::unique_ptr<Executor> create_executor() override {
        return std::make_unique<ReferenceExecutor>(program_);
    }
    std::shared_ptr<const Graph> graph() const override { return program_->graph; }
    std::vector<KernelInfo> kernels() const override {
        std::vector<KernelInfo> rows;
        for (const auto& step : program_->steps) {
            rows.push_back({step.node->name(), std::string(step.node->type_name()), "reference",
                            "this device runs the reference evaluators"});
        }
        return rows;
    }
    Properties properties() const override { return properties_; }

private:
    std::shared_ptr<const ReferenceProgram> program_;
    Properties properties_;
};

class ReferencePlugin final : public Plugin {
public:
    Version version() const override { return {get_version().build_number, "REFERENCE"}; }
    Properties properties() const override { return device_properties(); }

    void check_property(const std::string& name, const std::string& value) const override {
        if (name != property::kPerfCount) {
            throw ModelError("property '" + name + "' of device REFERENCE can only be read");
        }
        switch_of(name, value);
    }

    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                        const Properties& properties) override {
        const bool profile = switch_of(properties, property::kPerfCount, false);
        Properties all = properties;
        all[property::kPerfCount] = switch_text(profile);
        all.merge(device_properties());
        ReferenceProgram program = make_program(std::move(graph), profile);
        program.limits = limits_of(all);
        return std::make_unique<ReferenceExecutable>(std::move(program), std::move(all));
    }
};

}  // namespace

std::unique_ptr<Plugin> make_reference_plugin() { return std::make_unique<ReferencePlugin>(); }

}  // namespace rondo::reference
