#include "bindings/onnxruntime/src/compiled_part.hpp"

#include <algorithm>
#include <utility>

#include "bindings/onnxruntime/src/element_types.hpp"
#include "bindings/onnxruntime/src/host_tensor.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

std::map<std::string, std::size_t> places_of(const std::vector<PortInfo>& ports,
                                             const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> places;
    for (const auto& name : names) {
        const auto at = std::find_if(ports.begin(), ports.end(), [&](const PortInfo& port) {
            return std::binary_search(port.names.begin(), port.names.end(), name);
        });
        if (at == ports.end()) throw ModelError("the compiled part has no port '" + name + "'");
        places[name] = static_cast<std::size_t>(at - ports.begin());
    }
    return places;
}

// For each port of the model: the place of the node's port of that name. Places that no port of the
// model takes are left alone.
std::vector<std::size_t> order_of(const std::map<std::string, std::size_t>& ports,
                                  const std::vector<std::string>& names,
                                  const std::vector<PortInfo>& model_ports) {
    std::vector<std::size_t> order(model_ports.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto at = ports.find(names[i]);
        if (at != ports.end()) order.at(at->second) = i;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] < names.size()) continue;
        throw InternalError("onnxruntime's node has no port for '" + model_ports[i].any_name() +
                            "' of the part that it runs");
    }
    return order;
}

}  // namespace

CompiledPart make_part(CompiledModel model, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
    CompiledPart part;
    part.inputs = places_of(model.inputs(), inputs);
    part.outputs = places_of(model.outputs(), outputs);
    part.model = std::move(model);
    return part;
}

// One inference at a time. Its tensors are onnxruntime's memory.
class FusedNode::Run {
public:
    Run(const FusedNode& node, CompiledModel& model)
        : node_(node), request_(model.create_infer_request()), bound_(node.sources_.size()) {
        request_.set_output_allocator(
            [this](std::size_t output, const Shape& shape) { return memory_of(output, shape); });
    }

    void compute(OrtKernelContext* context) {
        context_ = context;
        for (std::size_t i = 0; i < node_.sources_.size(); ++i) bind(i);
        request_.infer();
        auto* profile = node_.profile_.get();
        if (profile == nullptr || !profile->is_on()) return;
        const auto end = Profile::Clock::now();
        profile->add(request_.get_trace(), end);
    }

private:
    void bind(std::size_t input) {
        const auto& host = node_.host_;
        const auto* value = host.get<const OrtValue*>(host->KernelContext_GetInput, context_,
                                                      node_.sources_[input]);
        look_at(host, value, input_);
        if (input_ == bound_[input]) return;  // onnxruntime uses memory again, and so do callers
        const Shape shape(input_.extents.begin(), input_.extents.end());
        request_.set_input_tensor(input, Tensor(element_type_of_number(input_.element_type), shape,
                                                const_cast<char*>(input_.data)));
        std::swap(bound_[input], input_);
    }

    void* memory_of(std::size_t output, const Shape& shape) {
        const auto& host = node_.host_;
        extents_.assign(shape.begin(), shape.end());
        auto* value = host.get<OrtValue*>(host->KernelContext_GetOutput, context_,
                                          node_.targets_[output], extents_.data(), extents_.size());
        return host.get<void*>(host->GetTensorMutableData, value);
    }

    const FusedNode& node_;
    InferRequest request_;
    OrtKernelContext* context_ = nullptr;
    std::vector<HostTensor> bound_;  // the request's inputs
    HostTensor input_;
    std::vector<std::int64_t> extents_;
};

namespace {

OrtStatus* create_state(OrtNodeComputeInfo* info, OrtNodeComputeContext*, void** state) {
    *state = info;
    return nullptr;
}

void release_state(OrtNodeComputeInfo*, void*) {}

}  // namespace

FusedNode::FusedNode(const Host& host, CompiledPart part, std::shared_ptr<Profile> profile,
                     const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs)
    : host_(host),
      model_(std::move(part.model)),
      profile_(std::move(profile)),
      sources_(order_of(part.inputs, inputs, model_.inputs())),
      targets_(order_of(part.outputs, outputs, model_.outputs())) {
    ort_version_supported = kApiVersion;
    CreateState = create_state;
    Compute = [](OrtNodeComputeInfo* info, void*, OrtKernelContext* context) {
        auto& node = of(info);
        return node.host_.guard([&] { node.compute(context); });
    };
    ReleaseState = release_state;
}

FusedNode::~FusedNode() = default;

std::unique_ptr<FusedNode::Run> FusedNode::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto run = std::move(idle_.back());
            idle_.pop_back();
            return run;
        }
    }
    return std::make_unique<Run>(*this, model_);
}

void FusedNode::give_back(std::unique_ptr<Run> run) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(run));
}

void FusedNode::release() {
    idle_.clear();
    model_ = {};
}

void FusedNode::compute(OrtKernelContext* context) {
    auto run = take();
    run->compute(context);
    give_back(std::move(run));
}

}  // namespace rondo::ort
