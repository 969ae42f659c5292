// A step that each run binds to the sizes that it finds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/call_forms.hpp"
#include "plugins/cpu/plugin/run/floating_memory.hpp"

namespace rondo::cpu {

/// One run of a floating step.
struct FloatingCallArgs {
    void* const* places;  ///< of the inputs, then of the outputs, except floating ones
    Team& team;
    const std::atomic<bool>& cancelled;
    BodyProfiles profiles = {};
};

/// Keeps the calls of sizes that it has met, so that coming back to some costs a comparison.
class FloatingCall {
public:
    /// All must outlive this object. Keeps up to `forms` calls.
    FloatingCall(const Program& program, const Step& step, const FloatingStep& ports, int threads,
                 std::size_t forms);

    /// Throws what the node's infer(), prepare() and calls throw.
    void run(const FloatingCallArgs& args, FloatingMemory& memory);

private:
    // A node that finds its shapes itself has this instead.
    struct Late {
        std::unique_ptr<DynamicRun> run;
        std::vector<Tensor> inputs;
        std::vector<Tensor> outputs;
    };

    void find_inputs(const FloatingCallArgs& args, const FloatingMemory& memory);
    const CallForm& form_of(const FloatingMemory& memory);
    CallForm make_form(const FloatingMemory& memory);
    void infer(std::vector<TensorInfo>& inputs, CallForm& form);
    bool find_extents(const std::vector<TensorInfo>& inputs, InferredNode& inferred,
                      CallForm& form);
    void run_call(const CallForm& form, const FloatingCallArgs& args, FloatingMemory& memory);
    void place_output(const CallForm& form, std::size_t output, void* place,
                      FloatingMemory& memory);
    void run_late(const FloatingCallArgs& args, FloatingMemory& memory);

    const ModelLimits& limits_;
    const Step& step_;
    const FloatingStep& ports_;
    int threads_;
    CallForms forms_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    Late late_;
};

}  // namespace rondo::cpu
