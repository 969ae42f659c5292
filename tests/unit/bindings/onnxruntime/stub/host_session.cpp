#include "tests/unit/bindings/onnxruntime/stub/host_session.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "bindings/onnxruntime/src/element_types.hpp"
#include "tests/unit/bindings/onnxruntime/stub/host_graph_maker.hpp"

extern "C" rondo::ort::OrtStatus* CreateEpFactories(const char* name,
                                                    const rondo::ort::OrtApiBase* base,
                                                    const rondo::ort::OrtLogger* logger,
                                                    rondo::ort::OrtEpFactory** factories,
                                                    std::size_t most, std::size_t* count);
extern "C" rondo::ort::OrtStatus* ReleaseEpFactory(rondo::ort::OrtEpFactory* factory);

namespace rondo::ort {
namespace {

constexpr const char* kFusedPrefix = "RondoExecutionProvider_";

bool is_fused(const OrtNode& node) { return node.op.rfind(kFusedPrefix, 0) == 0; }

void add_unique(std::vector<const OrtValueInfo*>& list, std::set<std::string>& known,
                const OrtValueInfo* value) {
    if (value != nullptr && known.insert(value->name).second) list.push_back(value);
}

// The values that nodes of the graph outside the group read, and what the graph gives.
std::set<std::string> needed_outside(const OrtGraph& graph, const std::set<const OrtNode*>& group) {
    std::set<std::string> needed;
    for (const auto* output : graph.outputs) needed.insert(output->name);
    for (const auto& node : graph.nodes) {
        if (group.count(node.get()) != 0) continue;
        for (const auto* list : {&node->inputs, &node->implicit_inputs}) {
            for (const auto* value : *list) {
                if (value != nullptr) needed.insert(value->name);
            }
        }
    }
    return needed;
}

// A node in place of a group: as onnxruntime from 1.27 on, or without the values that bodies use.
std::shared_ptr<OrtNode> fused_node(const OrtGraph& graph, const std::set<const OrtNode*>& group,
                                    bool gives_implicit_inputs) {
    auto fused = std::make_shared<OrtNode>();
    std::set<std::string> made;
    for (const auto* node : group) {
        for (const auto* output : node->outputs) {
            if (output != nullptr) made.insert(output->name);
        }
    }
    std::set<std::string> known = made;
    const auto add_input = [&](const OrtValueInfo* value) {
        if (value != nullptr && value->constant == nullptr) add_unique(fused->inputs, known, value);
    };
    const auto needed = needed_outside(graph, group);
    std::set<std::string> given;
    for (const auto& node : graph.nodes) {
        if (group.count(node.get()) == 0) continue;
        for (const auto* input : node->inputs) add_input(input);
        if (gives_implicit_inputs) {
            for (const auto* input : node->implicit_inputs) add_input(input);
        }
        for (const auto* output : node->outputs) {
            if (output != nullptr && needed.count(output->name) != 0) {
                add_unique(fused->outputs, given, output);
            }
        }
    }
    // Another order than the plugin's own.
    std::reverse(fused->inputs.begin(), fused->inputs.end());
    std::reverse(fused->outputs.begin(), fused->outputs.end());
    return fused;
}

std::shared_ptr<OrtValue> copy_of(const rondo::Tensor& tensor, int type) {
    auto value = std::make_shared<OrtValue>();
    value->form.element_type = type;
    value->form.extents.assign(tensor.shape().begin(), tensor.shape().end());
    value->bytes.resize(tensor.byte_size());
    if (tensor.byte_size() > 0) {
        std::memcpy(value->bytes.data(), tensor.data(), tensor.byte_size());
    }
    return value;
}

rondo::Tensor tensor_of(OrtValue& value) {
    const Shape shape(value.form.extents.begin(), value.form.extents.end());
    rondo::Tensor tensor(element_type_of_number(value.form.element_type), shape);
    if (tensor.byte_size() > 0) std::memcpy(tensor.data(), value.data(), tensor.byte_size());
    return tensor;
}

}  // namespace

HostSession::HostSession(const rondo::test::ModelBuilder& model,
                         const std::map<std::string, std::string>& options)
    : model_(model) {
    for (const auto& [key, value] : options) {
        const bool is_own = key.rfind("ep.context", 0) != 0;
        options_.entries[is_own ? "ep.rondoexecutionprovider." + key : key] = value;
    }
    std::size_t count = 0;
    check(CreateEpFactories("rondo", &host_api_base(), &logger_, &factory_, 4, &count));
    OrtHardwareDevice gpu{1};
    OrtHardwareDevice cpu{0};
    const OrtHardwareDevice* devices[] = {&gpu, &cpu, &cpu};
    OrtEpDevice* ep_devices[8] = {};
    check(factory_->GetSupportedDevices(factory_, devices, 3, ep_devices, 8, &count));
    if (count != 1) throw SessionError("expected one device");
    delete ep_devices[0];
    const OrtHardwareDevice* used[] = {&cpu};
    auto* failed = factory_->CreateEp(factory_, used, nullptr, 1, &options_, &logger_, &ep_);
    if (failed != nullptr) ReleaseEpFactory(std::exchange(factory_, nullptr));
    check(failed);
    rondo_onnx::ModelProto message;
    message.ParseFromString(model.bytes());
    graph_ = make_graph(message);
    try {
        if (host_state().is_profiled) start_profiling();
        partition(*graph_);
        for (const auto& node : graph_->nodes) {
            if (node->op == "EPContext") throw SessionError("nothing runs an EPContext");
        }
        for (const auto& [name, info] : infos_) {
            check(info->CreateState(info, nullptr, &states_[name]));
        }
    } catch (...) {
        release();
        throw;
    }
}

HostSession::~HostSession() {
    for (const auto& [name, info] : infos_) info->ReleaseState(info, states_[name]);
    release();
}

void HostSession::release() {
    for (const auto& [name, info] : infos_) {
        auto* one = info;
        ep_->ReleaseNodeComputeInfos(ep_, &one, 1);
    }
    factory_->ReleaseEp(factory_, ep_);
    if (profiler_ != nullptr) profiler_->Release(profiler_);
    ReleaseEpFactory(factory_);
}

// As onnxruntime: before any graph is looked at, and only a provider that knows of profilers.
void HostSession::start_profiling() {
    profile_begin_ = std::chrono::steady_clock::now();
    if (ep_->ort_version_supported < 25) return;
    auto* ep = static_cast<OrtEp25*>(ep_);
    check(ep->CreateProfiler(ep, &profiler_));
    if (profiler_ == nullptr) throw SessionError("no profiler");
    OrtEpProfilerImpl* another = nullptr;
    check(ep->CreateProfiler(ep, &another));
    if (another != nullptr) throw SessionError("a second profiler");
    const std::chrono::nanoseconds past = std::chrono::steady_clock::now() - profile_begin_;
    check(profiler_->StartProfiling(profiler_, past.count()));
}

std::vector<OrtProfilingEvent> HostSession::end_profiling() {
    OrtProfilingEventsContainer container;
    if (profiler_ != nullptr) check(profiler_->EndProfiling(profiler_, &container));
    return container.events;
}

std::int64_t HostSession::elapsed() const {
    const auto past = std::chrono::steady_clock::now() - profile_begin_;
    return std::chrono::floor<std::chrono::microseconds>(past).count();
}

std::string HostSession::compatibility() const {
    return ep_->GetCompiledModelCompatibilityInfo(ep_, graph_.get());
}

void HostSession::check(OrtStatus* status) const {
    if (status == nullptr) return;
    const std::string text = status->text;
    delete status;
    throw SessionError(text);
}

void HostSession::partition(OrtGraph& graph) {
    for (const auto& node : graph.nodes) {
        for (const auto& body : node->bodies) partition(*body.second);
    }
    set_implicit_inputs(graph);
    OrtEpGraphSupportInfo support;
    // onnxruntime may ask more than once before it compiles.
    check(ep_->GetCapability(ep_, &graph, &support));
    support = {};
    check(ep_->GetCapability(ep_, &graph, &support));
    if (support.groups.empty() || host_state().taken-- > 0) return;
    if (!support.drops_constants) throw SessionError("constants would be inputs");
    fuse(graph, support.groups);
}

void HostSession::fuse(OrtGraph& graph, const std::vector<std::vector<const OrtNode*>>& groups) {
    const int release = std::atoi(host_state().version.c_str() + 2);
    std::vector<std::unique_ptr<OrtGraph>> parts;
    std::vector<std::shared_ptr<OrtNode>> fused;
    std::vector<const OrtGraph*> part_handles;
    std::vector<const OrtNode*> fused_handles;
    for (const auto& nodes : groups) {
        const std::set<const OrtNode*> group(nodes.begin(), nodes.end());
        auto part = std::make_unique<OrtGraph>();
        part->opsets = graph.opsets;
        for (const auto& node : graph.nodes) {
            if (group.count(node.get()) != 0) part->nodes.push_back(node);
        }
        fused.push_back(fused_node(graph, group, release >= 27));
        fused.back()->op = kFusedPrefix + std::to_string(infos_.size() + fused.size());
        fused.back()->name = fused.back()->op;
        part_handles.push_back(part.get());
        fused_handles.push_back(fused.back().get());
        parts.push_back(std::move(part));
    }
    std::vector<OrtNodeComputeInfo*> infos(groups.size(), nullptr);
    std::vector<OrtNode*> contexts(groups.size(), nullptr);
    auto* failed = ep_->Compile(ep_, part_handles.data(), fused_handles.data(), groups.size(),
                                infos.data(), contexts.data());
    contexts_.clear();  // those of the last call count
    for (auto* context : contexts) {
        if (context != nullptr) contexts_[context->made.name()] = context->made;
        delete context;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (infos[i] != nullptr) infos_[fused[i]->op] = infos[i];
    }
    check(failed);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        auto& nodes = graph.nodes;
        const auto is_in = [&](const std::shared_ptr<OrtNode>& node) {
            return std::find(groups[i].begin(), groups[i].end(), node.get()) != groups[i].end();
        };
        const auto last = std::find_if(nodes.rbegin(), nodes.rend(), is_in);
        *last = fused[i];
        fused[i]->id = 1000 + infos_.size() + i;
        for (const auto& node : parts[i]->nodes) replaced_.push_back(node);
        nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_in), nodes.end());
    }
    drop_unused_constants(*graph_);
}

rondo::test::ModelBuilder HostSession::context_model() const {
    std::map<std::string, const rondo_onnx::NodeProto*> originals;
    rondo::test::ModelBuilder source = model_;
    for (const auto& node : source.graph().node()) originals[node.output(0)] = &node;
    rondo::test::ModelBuilder model = model_;
    model.graph().clear_node();
    for (const auto& node : graph_->nodes) {
        *model.graph().add_node() =
            is_fused(*node) ? contexts_.at(node->name) : *originals.at(node->outputs[0]->name);
    }
    return model;
}

std::map<std::string, rondo::Tensor> HostSession::run(
    const std::map<std::string, rondo::Tensor>& inputs) const {
    Scope scope;
    for (const auto* input : graph_->inputs) {
        const auto at = inputs.find(input->name);
        if (at == inputs.end()) throw SessionError("input " + input->name + " is missing");
        scope[input->name] = copy_of(at->second, rondo::test::to_onnx(at->second.element_type()));
    }
    check(ep_->OnRunStart(ep_, nullptr));
    run_graph(*graph_, scope);
    std::map<std::string, rondo::Tensor> outputs;
    for (const auto* output : graph_->outputs) {
        outputs[output->name] = tensor_of(*scope.at(output->name));
    }
    return outputs;
}

void HostSession::run_graph(const OrtGraph& graph, Scope& scope) const {
    for (const auto* value : graph.initializers) {
        if (value->constant != nullptr) scope[value->name] = value->constant;
    }
    for (const auto& node : graph.nodes) run_node(*node, scope);
}

void HostSession::run_node(const OrtNode& node, Scope& scope) const {
    if (is_fused(node)) return run_fused(node, *infos_.at(node.op), scope);
    if (node.op == "If") {
        const bool condition = *scope.at(node.inputs[0]->name)->data() != 0;
        const auto& name = condition ? "then_branch" : "else_branch";
        for (const auto& body : node.bodies) {
            if (body.first != name) continue;
            Scope inner = scope;
            run_graph(*body.second, inner);
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                scope[node.outputs[i]->name] = inner.at(body.second->outputs[i]->name);
            }
        }
        return;
    }
    if (node.op != "Twice" && node.op != "Identity") {
        throw SessionError("the host has no kernel for " + node.op);
    }
    auto result = std::make_shared<OrtValue>(*scope.at(node.inputs[0]->name));
    auto* elements = reinterpret_cast<float*>(result->data());
    const std::size_t count = result->bytes.size() / sizeof(float);
    if (node.op == "Twice") std::for_each(elements, elements + count, [](float& x) { x *= 2; });
    scope[node.outputs[0]->name] = std::move(result);
}

void HostSession::run_fused(const OrtNode& node, OrtNodeComputeInfo& info, Scope& scope) const {
    OrtKernelContext context;
    for (const auto* input : node.inputs) context.inputs.push_back(scope.at(input->name).get());
    context.outputs.resize(node.outputs.size());
    for (const auto* output : node.outputs) {
        context.output_types.push_back(output->type.tensor.element_type);
    }
    check(info.Compute(&info, states_.at(node.op), &context));
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        scope[node.outputs[i]->name] = std::make_shared<OrtValue>(std::move(context.outputs[i]));
    }
}

std::vector<std::string> HostSession::operators(const std::string& path) const {
    const OrtGraph* graph = graph_.get();
    std::string rest = path;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('/'), rest.size());
        const std::string name = rest.substr(0, end);
        rest = rest.substr(std::min(end + 1, rest.size()));
        const OrtGraph* next = nullptr;
        for (const auto& node : graph->nodes) {
            for (const auto& body : node->bodies) {
                if (body.first == name) next = body.second.get();
            }
        }
        if (next == nullptr) return {"no body " + name};
        graph = next;
    }
    std::vector<std::string> names;
    for (const auto& node : graph->nodes) names.push_back(is_fused(*node) ? "Rondo" : node->op);
    return names;
}

bool HostSession::has_logged(const std::string& text) const {
    return std::any_of(logger_.lines.begin(), logger_.lines.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

}  // namespace rondo::ort
