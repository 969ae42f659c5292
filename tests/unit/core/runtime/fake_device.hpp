// A device whose inferences do what a test needs: wait, throw, add one.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "core/ops/source/source_ops.hpp"
#include "core/runtime/compiled_model_impl.hpp"
#include "rondo/error.hpp"

namespace rondo::test {

/// The graph x f32[?,2] -> y.
inline std::shared_ptr<Graph> identity_graph() {
    auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape{Dimension(), Dimension(2)});
    x->set_name("x");
    x->output(0).set_names({"x"});
    auto y = make_node<ops::Result>(x);
    y->set_name("y/sink_port_0");
    y->output(0).set_names({"y"});
    return std::make_shared<Graph>("identity", std::vector<NodePtr>{x}, std::vector<NodePtr>{y});
}

/// What happens in an inference, before y = x + 1 is computed.
using Behaviour = std::function<void(const std::atomic<bool>& cancelled)>;

class FakeExecutor final : public Executor {
public:
    explicit FakeExecutor(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override {
        if (behaviour_) behaviour_(cancelled);
        if (!outputs[0]) outputs[0] = Tensor(ElementType::f32, inputs[0].shape());
        for (std::size_t i = 0; i < inputs[0].size(); ++i) {
            outputs[0].data<float>()[i] = inputs[0].data<float>()[i] + 1;
        }
    }
    std::vector<ProfilingInfo> profiling() const override { return {}; }

private:
    Behaviour behaviour_;
};

class FakeExecutable final : public Executable {
public:
    explicit FakeExecutable(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

    std::unique_ptr<Executor> create_executor() override {
        return std::make_unique<FakeExecutor>(behaviour_);
    }
    std::shared_ptr<const Graph> graph() const override { return graph_; }
    std::vector<KernelInfo> kernels() const override { return {{"y", "Fake", "fake", "test"}}; }
    Properties properties() const override { return {{"PERF_COUNT", "NO"}}; }

private:
    Behaviour behaviour_;
    std::shared_ptr<Graph> graph_ = identity_graph();
};

inline std::shared_ptr<CompiledModel::Impl> fake_model(Behaviour behaviour = {},
                                                       std::size_t streams = 2) {
    return std::make_shared<CompiledModel::Impl>(
        nullptr, std::make_unique<FakeExecutable>(std::move(behaviour)), streams);
}

/// Waits until the inference is cancelled, then says so as an executor must.
inline void wait_for_cancel(const std::atomic<bool>& cancelled) {
    while (!cancelled) std::this_thread::yield();
    throw CancelledError("the inference was cancelled");
}

}  // namespace rondo::test
