// A device that implements the public interface with functions of a test.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/runtime/compile.hpp"
#include "core/runtime/device.hpp"
#include "core/runtime/device_adapter.hpp"

namespace rondo::test {

/// What the device does, besides nothing; `run` gives all outputs.
struct FakeBehaviour {
    std::function<void(DeviceInference&)> run;
    std::function<std::unique_ptr<DeviceRequest>()> create_request = {};
    std::function<std::unique_ptr<DeviceModel>(const Model&, const Properties&)> compile = {};
    std::function<Version()> version = [] { return Version{"1", "a fake"}; };
    std::function<Properties()> properties = [] { return Properties(); };
    std::function<void(const std::string&)> check_property = [](const std::string&) {};
    std::function<Properties()> model_properties = [] { return Properties(); };
    std::function<std::vector<KernelInfo>()> kernels = [] { return std::vector<KernelInfo>(); };
    std::function<Model()> runtime_model = [] { return Model(); };
    std::function<std::vector<ProfilingInfo>()> profiling = [] {
        return std::vector<ProfilingInfo>();
    };
};

class FakeDeviceRequest final : public DeviceRequest {
public:
    explicit FakeDeviceRequest(FakeBehaviour does) : does_(std::move(does)) {}
    void run(DeviceInference& inference) override { does_.run(inference); }
    std::vector<ProfilingInfo> profiling() const override { return does_.profiling(); }

private:
    FakeBehaviour does_;
};

class FakeDeviceModel final : public DeviceModel {
public:
    explicit FakeDeviceModel(FakeBehaviour does) : does_(std::move(does)) {}
    std::unique_ptr<DeviceRequest> create_request() override {
        if (does_.create_request) return does_.create_request();
        return std::make_unique<FakeDeviceRequest>(does_);
    }
    Properties properties() const override { return does_.model_properties(); }
    std::vector<KernelInfo> kernels() const override { return does_.kernels(); }
    Model runtime_model() const override { return does_.runtime_model(); }

private:
    FakeBehaviour does_;
};

class FakeDevicePlugin final : public DevicePlugin {
public:
    explicit FakeDevicePlugin(FakeBehaviour does) : does_(std::move(does)) {}
    Version version() const override { return does_.version(); }
    Properties properties() const override { return does_.properties(); }
    void check_property(const std::string& name, const std::string&) const override {
        does_.check_property(name);
    }
    std::unique_ptr<DeviceModel> compile(const Model& model,
                                         const Properties& properties) override {
        if (does_.compile) return does_.compile(model, properties);
        return std::make_unique<FakeDeviceModel>(does_);
    }

private:
    FakeBehaviour does_;
};

/// The device "FAKE" as Core knows it.
inline Device fake_plugin(FakeBehaviour does) {
    return {"FAKE", adapt_plugin("FAKE", std::make_unique<FakeDevicePlugin>(std::move(does)))};
}

inline CompiledModel compiled_by_fake(const Model& model, FakeBehaviour does,
                                      const Properties& properties = {}) {
    const Device device = fake_plugin(std::move(does));
    const CompileTarget target{device.name(), device.plugin(), device.merged(properties)};
    return CompiledModel(compile(target, *model.graph()));
}

}  // namespace rondo::test
