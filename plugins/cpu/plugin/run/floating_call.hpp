// A step that each run binds to the sizes that it finds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/floating_memory.hpp"

namespace rondo::cpu {

/// One run of a floating step.
struct FloatingCallArgs {
    void* const* places;  ///< of the inputs, then of the outputs, except floating ones
    Team& team;
    const std::atomic<bool>& cancelled;
    BodyProfiles profiles = {};
};

/// Keeps the calls of the last sizes, so that coming back to some costs a comparison.
class FloatingCall {
public:
    /// All must outlive this object.
    FloatingCall(const Program& program, const Step& step, const FloatingStep& ports, int threads);

    /// Throws what the node's infer(), prepare() and calls throw.
    void run(const FloatingCallArgs& args, FloatingMemory& memory);

private:
    // What the step is bound to: the sizes of its floating inputs, and elements that decide more.
    struct Form {
        std::vector<Shape> shapes;       // of the floating inputs
        std::vector<ElementType> types;  // likewise
        std::unique_ptr<ExtentFinder> finder;
        std::vector<Shape> extents;                         // that it found
        std::vector<std::pair<std::size_t, Tensor>> reads;  // inputs whose elements were asked for
        std::vector<TensorInfo> outputs;
        std::unique_ptr<Call> call;
        std::vector<std::optional<View>> views;  // an output each
        bool writes = false;                     // some output is no view
    };

    // A node that finds its shapes itself has this instead.
    struct Late {
        std::unique_ptr<LateRun> run;
        std::vector<Tensor> inputs;
        std::vector<Tensor> outputs;
    };

    void find_inputs(const FloatingCallArgs& args, const FloatingMemory& memory);
    Form& form_of(const FloatingMemory& memory);
    bool fits(const Form& form, const FloatingMemory& memory);
    std::unique_ptr<Form> make_form(const FloatingMemory& memory);
    void infer(std::vector<TensorInfo>& inputs, Form& form);
    bool find_extents(const std::vector<TensorInfo>& inputs, InferredNode& inferred, Form& form);
    void run_call(const Form& form, const FloatingCallArgs& args, FloatingMemory& memory);
    void place_output(const Form& form, std::size_t output, void* place, FloatingMemory& memory);
    void run_late(const FloatingCallArgs& args, FloatingMemory& memory);

    const ModelLimits& limits_;
    const Step& step_;
    const FloatingStep& ports_;
    int threads_;
    std::vector<std::unique_ptr<Form>> forms_;
    std::size_t last_ = 0;        // form
    std::uint32_t replaced_ = 0;  // how many forms took the place of another one
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    std::vector<Shape> found_;
    Late late_;
};

}  // namespace rondo::cpu
