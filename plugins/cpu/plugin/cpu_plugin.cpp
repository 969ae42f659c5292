#include "plugins/cpu/plugin/cpu_plugin.hpp"

#include "core/support/process.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/plugin/cpu_executable.hpp"
#include "plugins/cpu/plugin/cpu_properties.hpp"

namespace rondo::cpu {
namespace {

// What caps the kernels stands behind them.
std::string kernels_text() {
    const Isa isa = usable_isa();
    const std::string text = std::string("kernels up to ") + name_of(isa);
    if (env("RONDO_ISA")) return text + " (RONDO_ISA)";
    return isa == cpu_features().best() ? text : text + " (the system forbids generated code)";
}

class CpuPlugin final : public Plugin {
public:
    Version version() const override {
        return {get_version().build_number, "CPU, " + kernels_text()};
    }
    Properties properties() const override { return device_properties(); }
    void check_property(const std::string& name, const std::string& value) const override {
        check_device_property(name, value);
    }

    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                        const Properties& properties) override {
        return make(std::move(graph), properties, Weights::stay);
    }
    std::unique_ptr<Executable> compile_and_release(std::shared_ptr<Graph> graph,
                                                    const Properties& properties) override {
        return make(std::move(graph), properties, Weights::may_be_released);
    }

    std::string cache_key(const Properties& properties) const override {
        return cache_key_of(properties);
    }

private:
    static std::unique_ptr<Executable> make(std::shared_ptr<Graph> graph,
                                            const Properties& properties, Weights weights) {
        Properties all = properties;
        all.merge(device_properties());  // those that Core didn't pass
        return std::make_unique<CpuExecutable>(std::move(graph), std::move(all), weights);
    }
};

}  // namespace

std::unique_ptr<Plugin> make_cpu_plugin() { return std::make_unique<CpuPlugin>(); }

}  // namespace rondo::cpu
