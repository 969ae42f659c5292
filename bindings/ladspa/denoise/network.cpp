#include "bindings/ladspa/denoise/network.hpp"

#include <algorithm>

#include <rondo/error.hpp>
#include <rondo/graph_builder.hpp>

namespace rondo::denoise {
namespace {

bool has_open_extent(const std::vector<PortInfo>& inputs) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const PortInfo& input) { return !input.shape.is_static(); });
}

void keep_states(Model& model) {
    if (!sink_nodes(model).empty()) return;  // it has variables
    const auto pairs = model.find_states().pairs;
    if (!pairs.empty()) return model.make_stateful(pairs);
    if (has_open_extent(model.inputs())) return model.make_streaming();
    try {
        model.make_stateful();  // layers that start from zeros
    } catch (const ModelError&) {
        // There are none: each chunk is computed from its samples alone.
    }
}

// Whether the output comes from a Sigmoid, whatever shape it then gets.
bool gives_factors(const GraphNode& result) {
    GraphNode node = result.input(0).node();
    const auto is_view = [](const std::string& type) {
        return type == "Reshape" || type == "Squeeze" || type == "Transpose" || type == "Unsqueeze";
    };
    while (is_view(node.type())) node = node.input(0).node();
    return node.type() == "Sigmoid";
}

NetworkFile load(const Core& core, const std::string& path) {
    Model model = core.read_model(path);
    try {
        keep_states(model);
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(path + ": keeps no states from chunk to chunk: " + error.what());
    }
    NetworkFile file{path, {}, {}};
    for (const GraphNode& result : result_nodes(model)) {
        file.gives_factors.push_back(gives_factors(result));
    }
    file.model = core.compile_model(model, "CPU", {{property::kInferenceNumThreads, "1"}});
    return file;
}

// The shape of an input whose open extents are 1, or together hold the missing elements.
Shape input_shape(const PartialShape& shape, std::size_t elements) {
    Shape extents;
    std::size_t known = 1;
    for (const Dimension& extent : shape.dimensions()) {
        extents.push_back(extent.is_static() ? static_cast<std::size_t>((extent.max)()) : 1);
        known *= extents.back();
    }
    for (std::size_t i = extents.size(); i-- > 0 && known != 0 && elements > known;) {
        if (shape[i].is_static()) continue;
        extents[i] = elements / known;
        break;
    }
    return extents;
}

}  // namespace

Networks load_networks(const std::vector<std::string>& paths) {
    const Core core;
    Networks networks;
    for (const std::string& path : paths) networks.push_back(load(core, path));
    return networks;
}

Network::Network(const NetworkFile& file, const std::map<std::string, Tensor>& given,
                 std::size_t elements)
    : path_(file.path), request_(CompiledModel(file.model).create_infer_request()) {
    bind_inputs(file.model.inputs(), given, elements);
    request_.infer();  // settles the outputs' shapes
    bind_outputs(file.model.outputs());
    for (int i = 0; i < 2; ++i) {  // so that later ones find their plans and memory
        request_.reset_state();
        request_.infer();
        request_.infer();
    }
    request_.reset_state();
    gives_factors_ = file.gives_factors.size() == 1 && file.gives_factors.front();
}

void Network::bind_inputs(const std::vector<PortInfo>& inputs, const Ports& given,
                          std::size_t elements) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PortInfo& port = inputs[i];
        const std::string place = path_ + ": input '" + port.any_name() + "' ";
        if (port.element_type != ElementType::f32) {
            throw ModelError(place + "is " + std::string(to_string(port.element_type)) +
                             "; expected f32");
        }
        if (!port.shape.has_rank()) throw ModelError(place + "has a shape of unknown rank");
        const auto shared = given.find(port.any_name());
        const Tensor tensor = shared != given.end()
                                  ? shared->second
                                  : Tensor(ElementType::f32, input_shape(port.shape, elements));
        request_.set_input_tensor(i, tensor);
        inputs_.emplace(port.any_name(), tensor);
    }
}

void Network::bind_outputs(const std::vector<PortInfo>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Tensor first = request_.get_output_tensor(i);
        const Tensor tensor(first.element_type(), first.shape());
        request_.set_output_tensor(i, tensor);
        outputs_.emplace(outputs[i].any_name(), tensor);
    }
}

const Tensor& Network::only(const Ports& ports, const char* kind) const {
    if (ports.size() == 1) return ports.begin()->second;
    std::string names;
    for (const auto& [name, tensor] : ports) {
        names += (names.empty() ? "'" : ", '") + name + "' " + to_string(tensor.shape());
    }
    throw ModelError(path_ + ": expected one " + kind + " besides the states; there are " +
                     (names.empty() ? "none" : names));
}

const Tensor& Network::find(const Ports& ports, const char* kind, const std::string& name) const {
    if (name.empty()) return only(ports, kind);
    const auto port = ports.find(name);
    if (port != ports.end()) return port->second;
    std::string names;
    for (const auto& entry : ports) names += (names.empty() ? "'" : ", '") + entry.first + "'";
    throw ModelError(path_ + ": has no " + kind + " '" + name + "'; there are " + names);
}

const Tensor& Network::sized(const Ports& ports, const char* kind, const std::string& name,
                             std::size_t expected) const {
    const Tensor& tensor = find(ports, kind, name);
    if (tensor.element_type() == ElementType::f32 && tensor.size() == expected) return tensor;
    throw ModelError(path_ + ": its " + kind + (name.empty() ? "" : " '" + name + "'") + " is " +
                     std::string(to_string(tensor.element_type())) + to_string(tensor.shape()) +
                     "; expected f32 with " + std::to_string(expected) + " elements");
}

float* Network::input(std::size_t expected, const std::string& name) {
    return Tensor(sized(inputs_, "input", name, expected)).data<float>();
}

const float* Network::output(std::size_t expected, const std::string& name) const {
    return sized(outputs_, "output", name, expected).data<float>();
}

Tensor Network::output_tensor(const std::string& name) const {
    return find(outputs_, "output", name);
}

}  // namespace rondo::denoise
