// A device in a library of its own, for the test of Core::register_plugin(): output i is input i.
#include <algorithm>

#include "rondo/plugin.hpp"

namespace {

using namespace rondo;

class EchoRequest final : public DeviceRequest {
public:
    void run(DeviceInference& inference) override {
        std::copy_n(inference.inputs.begin(), inference.outputs.size(), inference.outputs.begin());
    }
};

class EchoModel final : public DeviceModel {
public:
    std::unique_ptr<DeviceRequest> create_request() override {
        return std::make_unique<EchoRequest>();
    }
};

class EchoPlugin final : public DevicePlugin {
public:
    Version version() const override { return {"1", "a plugin for tests"}; }
    std::unique_ptr<DeviceModel> compile(const Model&, const Properties&) override {
        return std::make_unique<EchoModel>();
    }
};

}  // namespace

RONDO_DEFINE_PLUGIN(EchoPlugin)
