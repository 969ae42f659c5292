#include "rondo/model.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/printer.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/model/reshape.hpp"
#include "core/runtime/ports.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

Graph& filled(const std::shared_ptr<Graph>& graph) {
    if (graph == nullptr) throw ModelError("the model is empty; read one with Core::read_model()");
    return *graph;
}

const Frontend& frontend_named(const std::string& format) {
    std::vector<std::string> formats;
    for (const Frontend& frontend : builtin_frontends()) {
        if (frontend.name == format) return frontend;
        formats.emplace_back(frontend.name);
    }
    throw ModelError("'" + format + "' is not a format that this build writes; expected " +
                     quoted_list(formats));
}

// By the ending of the file's name.
std::string format_of(const std::string& path) {
    std::vector<std::string> endings;
    for (const Frontend& frontend : builtin_frontends()) {
        const std::string ending = std::filesystem::path(path).extension().string();
        if (equals_ignoring_case(ending, frontend.ending)) return frontend.name;
        endings.emplace_back(frontend.ending);
    }
    throw ModelError("'" + path + "' says no format; expected a name that ends in " +
                     join(endings, " or "));
}

BatchRows listed(const Graph& graph, const RowAxes& axes) {
    BatchRows rows;
    const auto inputs = input_ports(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        rows.ports.push_back({"input", inputs[i].any_name(), axes.inputs[i]});
    }
    const auto outputs = output_ports(graph);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        rows.ports.push_back({"output", outputs[i].any_name(), axes.outputs[i]});
    }
    const auto variables = ops::variables_of(graph);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        rows.ports.push_back({"variable", variables[i].id, axes.variables[i]});
    }
    return rows;
}

// As it is, or as the portable passes leave it.
RowAxes axes_when_compiled(const Graph& graph) {
    RowAxes axes = builtin_transforms().find_row_axes(graph);
    if (axes.obstacle.empty()) return axes;
    const auto copy = graph.clone();
    run_portable_passes(*copy);
    RowAxes compiled = builtin_transforms().find_row_axes(*copy);
    return compiled.obstacle.empty() ? compiled : axes;
}

BatchRows batch_rows_of(const Graph& graph) {
    RowAxes axes = axes_when_compiled(graph);
    if (axes.obstacle.empty()) return listed(graph, axes);
    const auto copy = graph.clone();
    try {
        builtin_transforms().set_batch(*copy, Dimension());
    } catch (const UnsupportedError&) {
        BatchRows rows;
        rows.obstacle = std::move(axes.obstacle);
        return rows;
    }
    BatchRows rows = listed(graph, axes_when_compiled(*copy));
    rows.is_open = false;
    return rows;
}

std::vector<NodeInfo> node_infos(const Graph& graph);

std::vector<NodeInfo::Body> bodies_of(const Node& node) {
    std::vector<NodeInfo::Body> bodies;
    const auto* op = dynamic_cast<const ops::BodyOp*>(&node);
    if (op == nullptr) return bodies;
    const std::vector<std::string> names = op->body_names();
    for (std::size_t i = 0; i < op->bodies().size(); ++i) {
        bodies.push_back({names[i], ops::place_of_body(*op, i), node_infos(*op->bodies()[i])});
    }
    return bodies;
}

NodeInfo node_info(Node& node, const std::unordered_map<const Node*, std::size_t>& numbers) {
    NodeInfo info;
    info.name = node.name();
    info.type = node.type_name();
    info.opset = node.op_type().opset_name();
    info.attributes = attributes_of(node);
    for (const auto& source : node.inputs()) {
        info.inputs.push_back({numbers.at(&source.node()), source.index()});
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        info.outputs.push_back(
            port_of(node.output(i).names(), node, node.output_type(i), node.output_shape(i)));
    }
    if (const auto* constant = dynamic_cast<const ops::Constant*>(&node)) {
        info.constant_bytes = constant->value().byte_size();
        info.constant_data = constant->value().strided_data();
    }
    info.facts.assign(node.rt_info().begin(), node.rt_info().end());
    info.bodies = bodies_of(node);
    return info;
}

std::optional<ValueRange> known_extent(const PartialShape& shape, std::size_t axis,
                                       std::int64_t first) {
    if (!shape.has_rank() || axis >= shape.rank() || !shape[axis].is_static()) return std::nullopt;
    const std::int64_t extent = shape[axis].length();
    if (extent == 0) return first == 0 ? std::nullopt : std::optional(ValueRange{0, 0});
    return ValueRange{first, first == 0 ? extent - 1 : extent};
}

std::optional<ValueRange> range_of_values(const Output& port);

// The values that one reader of a port allows.
std::optional<ValueRange> demanded(const Consumer& consumer) {
    Node& node = *consumer.node;
    if (const auto* recurrent = as_op<ops::RecurrentOp>(node)) {
        if (consumer.input != recurrent->lengths_port()) return std::nullopt;
        return known_extent(node.input(0).shape(), 1, 1);
    }
    if (as_op<ops::Gather>(node) != nullptr && consumer.input == 1) {
        const Tensor axis = known_value(node.input(2));
        const PartialShape& data = node.input(0).shape();
        if (!axis || axis.size() != 1 || !data.has_rank()) return std::nullopt;
        std::int64_t at = to_int64_vector(axis).front();
        if (at < 0) at += static_cast<std::int64_t>(data.rank());
        return at < 0 ? std::nullopt : known_extent(data, static_cast<std::size_t>(at), 0);
    }
    const OpTraits traits = node.traits();
    const bool passes_on = (traits.moves_elements && node.output_count() == 1 &&
                            consumer.input < traits.data_inputs) ||
                           as_op<ops::Convert>(node) != nullptr;
    if (passes_on) return range_of_values(node.output(0));
    return std::nullopt;
}

std::vector<NodeInfo> node_infos(const Graph& graph) {
    std::unordered_map<const Node*, std::size_t> numbers;
    std::vector<NodeInfo> infos;
    for (const auto& node : graph.ordered_nodes()) {
        numbers.emplace(node.get(), infos.size());
        infos.push_back(node_info(*node, numbers));
    }
    return infos;
}

std::optional<ValueRange> range_of_values(const Output& port) {
    std::optional<ValueRange> range;
    for (const auto& consumer : port.consumers()) {
        const auto found = demanded(consumer);
        if (!found) continue;
        if (!range) {
            range = found;
        } else {
            range = ValueRange{std::max(range->min, found->min), std::min(range->max, found->max)};
        }
    }
    return range;
}

}  // namespace

Model::Model(std::shared_ptr<Graph> graph) : graph_(std::move(graph)) {}

const std::string& Model::name() const { return filled(graph_).name(); }

void Model::set_name(std::string name) { filled(graph_).set_name(std::move(name)); }

std::map<std::string, std::string> Model::rt_info() const { return filled(graph_).rt_info(); }

void Model::set_rt_info(const std::string& path, std::string value) {
    filled(graph_).rt_info()[path] = std::move(value);
}

std::vector<PortInfo> Model::inputs() const {
    return at_api_boundary([&] { return input_ports(filled(graph_)); });
}

std::vector<PortInfo> Model::outputs() const {
    return at_api_boundary([&] { return output_ports(filled(graph_)); });
}

std::vector<std::string> Model::constant_inputs() const {
    return at_api_boundary([&] { return rondo::constant_inputs(filled(graph_)); });
}

PortInfo Model::input(const std::string& name) const {
    const auto ports = inputs();
    return ports[find_port(ports, name, "input", constant_inputs())];
}

PortInfo Model::output(const std::string& name) const {
    const auto ports = outputs();
    return ports[find_port(ports, name, "output")];
}

void Model::reshape(const std::map<std::string, PartialShape>& shapes) {
    at_api_boundary([&] {
        Graph& graph = filled(graph_);
        const auto ports = input_ports(graph);
        const PortNames names({ports}, rondo::constant_inputs(graph));
        std::vector<PartialShape> wanted;
        for (const PortInfo& port : ports) wanted.push_back(port.shape);
        for (const auto& [name, shape] : shapes) wanted[names.place_of(name, "input")] = shape;
        rondo::reshape(graph, wanted);
    });
}

void Model::make_streaming(const StreamingOptions& options) {
    at_api_boundary([&] { builtin_transforms().make_streaming(filled(graph_), options); });
}

std::vector<LayerQuantization> Model::quantize(const QuantizationOptions& options) {
    return at_api_boundary([&] { return builtin_transforms().quantize(filled(graph_), options); });
}

void Model::set_batch(const Dimension& batch) {
    at_api_boundary([&] { builtin_transforms().set_batch(filled(graph_), batch); });
}

void Model::add_batch_axis(const Dimension& batch) {
    at_api_boundary([&] { builtin_transforms().add_batch_axis(filled(graph_), batch); });
}

BatchRows Model::batch_rows() const {
    return at_api_boundary([&] { return batch_rows_of(filled(graph_)); });
}

Model Model::clone() const {
    return at_api_boundary([&] {
        Model copy(filled(graph_).clone());
        copy.graph_->set_origin(graph_->origin());
        return copy;
    });
}

std::string Model::to_text() const {
    return at_api_boundary([&] { return full_text(filled(graph_)); });
}

std::vector<NodeInfo> Model::nodes() const {
    return at_api_boundary([&] { return node_infos(filled(graph_)); });
}

StateSearch Model::find_states() const {
    return at_api_boundary([&] { return builtin_transforms().find_states(filled(graph_)); });
}

void Model::make_stateful(const std::vector<std::pair<std::string, std::string>>& pairs) {
    at_api_boundary([&] { builtin_transforms().make_stateful(filled(graph_), pairs); });
}

void Model::make_stateful() {
    at_api_boundary([&] { builtin_transforms().find_and_make_stateful(filled(graph_)); });
}

void Model::apply_low_latency(bool use_const_initializer) {
    at_api_boundary(
        [&] { builtin_transforms().apply_low_latency(filled(graph_), use_const_initializer); });
}

std::optional<ValueRange> Model::value_range(const std::string& input) const {
    const std::size_t index = find_port(inputs(), input, "input", constant_inputs());
    return range_of_values(filled(graph_).parameters()[index]->output(0));
}

void save_model(const Model& model, const std::string& path, bool compress_to_f16) {
    save_model(model, path, compress_to_f16 ? ElementType::f16 : ElementType::f32);
}

void save_model(const Model& model, const std::string& path, ElementType weights) {
    save_model(model, path, SaveOptions{weights});
}

void save_model(const Model& model, const std::string& path, const SaveOptions& options) {
    save_model_as(format_of(path), model, path, options);
}

void save_model_as(const std::string& format, const Model& model, const std::string& path,
                   ElementType weights) {
    save_model_as(format, model, path, SaveOptions{weights});
}

void save_model_as(const std::string& format, const Model& model, const std::string& path,
                   const SaveOptions& options) {
    const ElementType weights = options.weights;
    if (weights != ElementType::f32 && weights != ElementType::f16 &&
        weights != ElementType::bf16) {
        throw ModelError(path + ": weights can't be stored as " + std::string(to_string(weights)) +
                         "; expected f32, f16 or bf16");
    }
    at_api_boundary([&] {
        const Frontend& frontend = frontend_named(format);
        const Graph& graph = filled(model.graph());
        if (!has_read_extents(graph)) return frontend.write(graph, path, options);
        const auto marked = graph.clone();
        marked->rt_info()[kFixedExtents] = "true";
        frontend.write(*marked, path, options);
    });
}

}  // namespace rondo
