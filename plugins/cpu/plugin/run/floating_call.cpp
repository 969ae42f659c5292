#include "plugins/cpu/plugin/run/floating_call.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/graph/tensor_impl.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "plugins/cpu/plugin/run/output_binding.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

void copy_bytes(void* target, const void* source, std::size_t bytes) {
    if (bytes > 0) std::memcpy(target, source, bytes);
}

std::size_t bytes_of(const TensorInfo& info) {
    return element_count(info.shape) * size_of(info.type);
}

}  // namespace

FloatingCall::FloatingCall(const Program& program, const Step& step, const FloatingStep& ports,
                           int threads, std::size_t forms)
    : limits_(program.limits),
      step_(step),
      ports_(ports),
      threads_(threads),
      forms_(ports, forms),
      inputs_(ports.inputs.size()),
      outputs_(ports.outputs.size()) {
    if (!step.kernel->finds_shapes()) return;
    late_.run = step.kernel->make_dynamic_run();
    late_.inputs.resize(ports.inputs.size());
    late_.outputs.resize(ports.outputs.size());
}

void FloatingCall::run(const FloatingCallArgs& args, FloatingMemory& memory) {
    find_inputs(args, memory);
    if (late_.run) {
        run_late(args, memory);
    } else {
        run_call(form_of(memory), args, memory);
    }
    for (const ValueId id : ports_.last_reads) memory.release(id);
}

void FloatingCall::find_inputs(const FloatingCallArgs& args, const FloatingMemory& memory) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const FloatingPort& port = ports_.inputs[i];
        inputs_[i] = port.floats ? memory.of(port.value).data : args.places[i];
    }
}

const CallForm& FloatingCall::form_of(const FloatingMemory& memory) {
    const CallForms::Inputs inputs{memory, inputs_};
    const CallForm* known = forms_.find(inputs);
    return known != nullptr ? *known : forms_.add(make_form(memory), inputs);
}

CallForm FloatingCall::make_form(const FloatingMemory& memory) {
    const FlushDenormals exact(false);  // as where plans are made
    CallForm form;
    std::vector<TensorInfo> inputs;
    inputs.reserve(ports_.inputs.size());
    for (const FloatingPort& port : ports_.inputs) {
        inputs.push_back(port.info);
        if (!port.floats) continue;
        const FloatingValue& value = memory.of(port.value);
        form.shapes.push_back(value.shape);
        form.types.push_back(value.type);
        inputs.back() = {value.type, value.shape, {}, true};
    }
    infer(inputs, form);
    for (std::size_t i = 0; i < form.outputs.size(); ++i) {
        TensorInfo& output = form.outputs[i];
        const FloatingPort& port = ports_.outputs[i];
        output.wanted = port.info.wanted;
        checked_bytes(step_.node(), output, limits_);
        internal_check(
            port.floats || (output.type == port.info.type && output.shape == port.info.shape),
            "a run found another shape than the plan");
    }
    form.call = step_.kernel->prepare({inputs, form.outputs, threads_});
    for (std::size_t i = 0; i < form.outputs.size(); ++i) {
        form.views.push_back(form.outputs[i].wanted ? form.call->view(i) : std::nullopt);
        if (form.outputs[i].wanted && !form.views[i]) form.writes = true;
    }
    return form;
}

// With the elements that it asks for, which are all there.
void FloatingCall::infer(std::vector<TensorInfo>& inputs, CallForm& form) {
    std::vector<const TensorInfo*> seen;
    for (const TensorInfo& input : inputs) seen.push_back(&input);
    for (;;) {
        InferredNode inferred = step_.kernel->infer(seen);
        if (inferred.outputs) {
            form.outputs = std::move(*inferred.outputs);
            return;
        }
        if (find_extents(inputs, inferred, form)) return;
        bool reads_more = false;
        for (const std::size_t input : inferred.missing) {
            TensorInfo& info = inputs[input];
            if (info.value) continue;
            info.value = Tensor(info.type, info.shape);
            copy_bytes(info.value.data(), inputs_[input], info.value.byte_size());
            form.reads.emplace_back(input, info.value);
            reads_more = true;
        }
        if (reads_more) continue;
        throw UnsupportedError(describe(step_.node()) +
                               ": an output's shape doesn't follow from the inputs");
    }
}

bool FloatingCall::find_extents(const std::vector<TensorInfo>& inputs, InferredNode& inferred,
                                CallForm& form) {
    const bool typed =
        !inferred.missing.empty() && std::find(inferred.types.begin(), inferred.types.end(),
                                               ElementType::dynamic) == inferred.types.end();
    if (!typed) return false;
    std::vector<const TensorInfo*> seen;
    for (const TensorInfo& input : inputs) seen.push_back(&input);
    form.finder = step_.kernel->make_extent_finder(seen);
    if (!form.finder) return false;
    form.extents.resize(inferred.types.size());
    form.finder(inputs_, form.extents);
    for (std::size_t i = 0; i < form.extents.size(); ++i) {
        form.outputs.push_back({inferred.types[i], form.extents[i], {}, true});
    }
    return true;
}

void FloatingCall::run_call(const CallForm& form, const FloatingCallArgs& args,
                            FloatingMemory& memory) {
    void* const* places = args.places + inputs_.size();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        outputs_[i] = nullptr;
        if (form.outputs[i].wanted) place_output(form, i, places[i], memory);
    }
    if (!form.writes) return;
    void* scratch = memory.scratch(form.call->scratch_bytes());
    form.call->run({inputs_, outputs_, scratch, args.team, &args.cancelled, args.profiles});
}

// A view shares the memory of a floating value. That of another one may serve others soon, so that
// it is copied.
void FloatingCall::place_output(const CallForm& form, std::size_t output, void* place,
                                FloatingMemory& memory) {
    const FloatingPort& port = ports_.outputs[output];
    const TensorInfo& info = form.outputs[output];
    const auto& view = form.views[output];
    if (view && port.floats && ports_.inputs[view->input].floats) {
        const FloatingValue& source = memory.of(ports_.inputs[view->input].value);
        memory.set_view(port.value, info, source.data + view->byte_offset, source.block);
        return;
    }
    outputs_[output] = port.floats ? memory.give_memory(port.value, info.type, info.shape) : place;
    if (!view) return;
    copy_bytes(outputs_[output], static_cast<const char*>(inputs_[view->input]) + view->byte_offset,
               bytes_of(info));
}

void FloatingCall::run_late(const FloatingCallArgs& args, FloatingMemory& memory) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const FloatingPort& port = ports_.inputs[i];
        const FloatingValue* value = port.floats ? &memory.of(port.value) : nullptr;
        const ElementType type = value != nullptr ? value->type : port.info.type;
        const Shape& shape = value != nullptr ? value->shape : port.info.shape;
        Tensor& input = late_.inputs[i];
        if (input && input.element_type() == type) {
            Tensor::Impl::rebind(input, shape, const_cast<void*>(inputs_[i]));
        } else {
            input = Tensor(type, shape, const_cast<void*>(inputs_[i]));
        }
    }
    late_.run->run(
        {late_.inputs, late_.outputs, args.team, args.cancelled, args.profiles, limits_});
    for (std::size_t i = 0; i < late_.outputs.size(); ++i) {
        const FloatingPort& port = ports_.outputs[i];
        const Tensor& output = late_.outputs[i];
        internal_check(output && output.is_contiguous(), "a late step left an output open");
        check_bytes(step_.node(), output, limits_);
        if (port.floats) {
            memory.set_tensor(port.value, output);
            continue;
        }
        internal_check(has_form(output, port.info), "a run found another shape than the plan");
        copy_bytes(args.places[inputs_.size() + i], output.data(), output.byte_size());
    }
}

}  // namespace rondo::cpu
