// A device in a library of its own, for the test of Core::register_plugin(): output i is input i.
#include <algorithm>

#include "core/runtime/plugin.hpp"

namespace {

using namespace rondo;

class EchoExecutor final : public Executor {
public:
    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>&) override {
        std::copy_n(inputs.begin(), outputs.size(), outputs.begin());
    }
    std::vector<ProfilingInfo> profiling() const override { return {}; }
};

class EchoExecutable final : public Executable {
public:
    explicit EchoExecutable(std::shared_ptr<Graph> graph) : graph_(std::move(graph)) {}
    std::unique_ptr<Executor> create_executor() override {
        return std::make_unique<EchoExecutor>();
    }
    std::shared_ptr<const Graph> graph() const override { return graph_; }
    std::vector<KernelInfo> kernels() const override { return {}; }
    Properties properties() const override { return {}; }

private:
    std::shared_ptr<Graph> graph_;
};

class EchoPlugin final : public Plugin {
public:
    Version version() const override { return {"1", "a plugin for tests"}; }
    Properties properties() const override { return {}; }
    void check_property(const std::string&, const std::string&) const override {}
    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph, const Properties&) override {
        return std::make_unique<EchoExecutable>(std::move(graph));
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) rondo::Plugin* rondo_create_plugin() {
    return new EchoPlugin();
}
