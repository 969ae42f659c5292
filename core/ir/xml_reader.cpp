// Reads the IR's XML: layers, their attributes, bodies and the edges between them.
#include <algorithm>
#include <new>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <pugixml.hpp>

#include "core/graph/origins.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ir/encoding/xml_text.hpp"
#include "core/ir/ir.hpp"
#include "core/ir/layer_node.hpp"
#include "core/ir/layer_table.hpp"
#include "core/ir/weights_file.hpp"
#include "core/ir/xml_elements.hpp"
#include "core/ops/state/variables.hpp"
#include "core/support/errors.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "core/support/unique_names.hpp"
#include "rondo/properties.hpp"

namespace rondo::ir {
namespace {

constexpr std::int64_t kMinVersion = 10;
constexpr std::int64_t kMaxVersion = 11;

std::string_view text_of(const ModelSource& source) {
    if (source.data == nullptr) return {};
    return {reinterpret_cast<const char*>(source.data), source.size};
}

// The line that `offset` bytes of UTF-8 end in, which the parser has made of the text.
std::size_t line_at(std::string_view text, std::ptrdiff_t offset, pugi::xml_encoding encoding) {
    const bool is_latin1 = encoding == pugi::encoding_latin1;
    std::size_t line = 1;
    for (const char letter : text) {
        offset -= is_latin1 && static_cast<unsigned char>(letter) >= 0x80 ? 2 : 1;
        if (offset < 0) break;
        line += letter == '\n' ? 1 : 0;
    }
    return line;
}

void parse(std::string_view text, pugi::xml_encoding encoding, pugi::xml_document& document) {
    const auto result =
        document.load_buffer(text.data(), text.size(), pugi::parse_default, encoding);
    if (result) return;
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    throw ModelError("line " + std::to_string(line_at(text, result.offset, result.encoding)) +
                     ": the XML is damaged or cut off (" + result.description() + ")");
}

void parse(const ModelSource& source, pugi::xml_document& document) {
    const std::string_view bytes = text_of(source);
    const TextEncoding encoding = encoding_of(bytes);
    if (encoding.unit == 1) return parse(bytes, pugi::encoding_auto, document);
    parse(to_utf8(bytes, encoding), pugi::encoding_utf8, document);
}

pugi::xml_node find_net(const pugi::xml_document& document) {
    const pugi::xml_node net = document.child("net");
    if (!net) throw ModelError("the file has no <net>; it isn't an IR");
    const std::int64_t version = count_attribute(net, "version");
    if (version < kMinVersion || version > kMaxVersion) {
        throw UnsupportedError("the IR's version is " + std::to_string(version) +
                               "; Rondo reads 10 and 11");
    }
    return net;
}

// Hostile files nest without end, and shape inference of loops in loops takes a power of the depth.
struct Depth {
    const ModelLimits& limits;
    std::size_t bodies = 0;
    std::size_t loops = 0;

    Depth below(const Layer& layer) const {
        const Depth depth{limits, bodies + 1, loops + (layer.is("If") ? 0 : 1)};
        check_nesting(depth.bodies, depth.loops, limits);
        return depth;
    }
};

constexpr const char* kBodies[] = {"body", "then_body", "else_body"};

void find_unknown_types(const std::vector<Layer>& layers, const Depth& depth,
                        std::set<std::string>& unknown) {
    for (const std::size_t i : needed_layers(layers)) {
        const Layer& layer = layers[i];
        if (!is_known(layer.type, layer.version)) {
            unknown.insert(unsupported_text(layer.type, layer.version));
        }
        for (const char* name : kBodies) {
            const pugi::xml_node body = layer.xml.child(name);
            if (!body) continue;
            at_place([&] { return describe(layer) + ": " + name; },
                     [&] { find_unknown_types(read_layers(body), depth.below(layer), unknown); });
        }
    }
}

// All of them at once, those in bodies too.
void refuse_unknown_types(const std::vector<Layer>& layers, const ModelLimits& limits) {
    std::set<std::string> unknown;
    find_unknown_types(layers, {limits}, unknown);
    if (unknown.empty()) return;
    throw UnsupportedError("unsupported layer types: " +
                           join({unknown.begin(), unknown.end()}, ", "));
}

Attributes attributes_of(pugi::xml_node data) {
    Attributes attributes;
    for (const auto& attribute : data.attributes()) {
        attributes.emplace_back(attribute.name(), attribute.value());
    }
    return attributes;
}

// A type of weights that tensors don't have.
constexpr const char* kNf4 = "nf4";

Tensor read_elements(pugi::xml_node data, WeightsReader& weights) {
    const std::string type = text_attribute(data, "element_type");
    const Shape shape = PartialShape::parse(text_attribute(data, "shape")).to_shape();
    WeightsRange range{static_cast<std::size_t>(count_attribute(data, "offset")),
                       static_cast<std::size_t>(count_attribute(data, "size"))};
    if (weights.has_files() && data.attribute("file")) {
        range.file = static_cast<std::size_t>(count_attribute(data, "file"));
    }
    if (type == kNf4) return weights.read_nf4(shape, range);
    const auto known = at_place([] { return "attribute 'element_type'"; },
                                [&] { return element_type_from_string(type); });
    return weights.read(known, shape, range);
}

// Reads the elements, and takes the attributes that say where they lie.
void read_constant(pugi::xml_node data, WeightsReader& weights, LayerNode& node) {
    node.value = read_elements(data, weights);
    const bool is_nf4 = data.attribute("element_type").value() == std::string_view(kNf4);
    std::erase_if(node.attributes, [&](const auto& attribute) {
        const std::string& name = attribute.first;
        return is_nf4 || name == "offset" || name == "size" ||
               (name == "file" && weights.has_files());
    });
}

// A name for every layer; the first one in the file keeps a name that is used twice. `taken` gets
// them all.
std::vector<std::string> name_layers(const std::vector<Layer>& layers, UniqueNames& taken) {
    for (const auto& layer : layers) taken.insert(layer.name);
    std::unordered_set<std::string> given{""};
    std::vector<std::string> names;
    for (const auto& layer : layers) {
        const bool keeps = given.insert(layer.name).second;
        const std::string& base = layer.name.empty() ? layer.type : layer.name;
        names.push_back(keeps ? layer.name : taken.take_numbered(base));
    }
    return names;
}

class GraphReader {
public:
    GraphReader(pugi::xml_node net, WeightsReader& weights, const Deadline& deadline)
        : net_(net),
          weights_(weights),
          deadline_(deadline),
          layers_(read_layers(net)),
          names_(name_layers(layers_, taken_names_)) {}
    GraphReader(const GraphReader&) = delete;
    GraphReader& operator=(const GraphReader&) = delete;
    // Consumers go first: a long chain that died from its start would need a deep stack.
    ~GraphReader() {
        while (!order_.empty()) {
            nodes_[order_.back()].reset();
            order_.pop_back();
        }
    }

    std::shared_ptr<Graph> read_model(const ModelLimits& limits) {
        refuse_unknown_types(layers_, limits);
        weights_.expect_digest(net_.attribute("weights_digest").value());
        return read();
    }

private:
    std::shared_ptr<Graph> read() {
        nodes_.resize(layers_.size());
        order_ = needed_layers(layers_);
        for (const std::size_t i : order_) {
            const auto place = [&] { return describe(layers_[i]); };
            deadline_.check([&] { return "before " + place(); });
            at_place(place, [&] { build(i); });
        }
        if (of_type("Result").empty() && of_type("Assign").empty()) {
            throw ModelError("the net has no Result layer");
        }
        auto graph = std::make_shared<Graph>(net_.attribute("name").value(), of_type("Parameter"),
                                             of_type("Result"), of_type("Assign"));
        graph->rt_info() = read_net_rt_info(net_);
        ops::variables_of(*graph);  // throws if they aren't pairs
        return graph;
    }

    BodyLayers body_layers() const {
        BodyLayers ids;
        for (const auto& layer : layers_) {
            if (layer.is("Parameter")) ids.parameters.emplace(layer.id, ids.parameters.size());
            if (layer.is("Result")) ids.results.emplace(layer.id, ids.results.size());
        }
        return ids;
    }

    void read_bodies(const Layer& layer, LayerNode& node) {
        for (const std::string& name : body_names(layer.type, layer.version)) {
            const pugi::xml_node xml = layer.xml.child(name.c_str());
            if (!xml) throw ModelError("<" + name + "> is missing");
            GraphReader body(xml, weights_, deadline_);
            auto graph = at_place([&] { return name; }, [&] { return body.read(); });
            PortMap map = read_port_map(layer, name, body.body_layers());
            node.bodies.push_back({std::move(graph), std::move(map.ports)});
            node.loop_ports = map.special;
        }
    }

    std::vector<NodePtr> of_type(std::string_view type) const {
        std::vector<NodePtr> found;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            if (layers_[i].is(type)) found.push_back(nodes_[i]);
        }
        return found;
    }

    void build(std::size_t index) {
        const Layer& layer = layers_[index];
        const pugi::xml_node data = layer.xml.child("data");
        LayerNode node{layer.type, layer.version, names_[index], inputs_of(layer),
                       attributes_of(data)};
        if (layer.is("Parameter")) {
            for (const char* name : {"shape", "element_type"}) text_attribute(data, name);
        }
        if (layer.is("Const")) read_constant(data, weights_, node);
        read_bodies(layer, node);
        nodes_[index] = make_layer_node(std::move(node), taken_names_);
        nodes_[index]->rt_info() = read_layer_rt_info(layer.xml);
        set_origins(layer, *nodes_[index]);
        set_tensor_names(layer, *nodes_[index]);
    }

    // A layer may become several nodes. One of a cache entry may name another as its origin.
    static void set_origins(const Layer& layer, Node& node) {
        if (const auto fact = node.rt_info().extract(kNodeOrigin)) {
            node.set_origin(node_origin_from_text(fact.mapped()));
        } else if (node.name() == layer.name && node.type_name() == layer.type) {
            node.set_origin(NodeOrigin::itself());
        } else {
            node.set_origin(std::make_shared<NodeOrigin>(
                NodeOrigin{NodeOrigin::Kind::node, layer.name, layer.type}));
        }
        for (const Output& input : node.inputs()) {
            if (!input.node().origin()) give_origin(input, origin_to_share(node));
        }
    }

    std::vector<Output> inputs_of(const Layer& layer) const {
        std::vector<Output> inputs;
        for (const auto& input : layer.inputs) {
            const NodePtr& source = nodes_[input.layer];
            check_output(*source, layers_[input.layer], input.output);
            // A Result passes its input on: what reads it reads that.
            const bool is_result = layers_[input.layer].is("Result");
            inputs.push_back(is_result ? source->input(0) : Output(source, input.output));
        }
        return inputs;
    }

    static void check_output(const Node& node, const Layer& layer, std::size_t output) {
        if (output < node.output_count()) return;
        throw ModelError(describe(layer) + " has " + counted(node.output_count(), "output") +
                         "; output " + std::to_string(output) + " isn't one of them");
    }

    static void set_tensor_names(const Layer& layer, Node& node) {
        if (layer.is("Result")) {
            const auto names = split_tensor_names(layer.xml.attribute("output_names").value());
            node.output(0).set_names(names);
            return;
        }
        std::size_t index = 0;
        for (const pugi::xml_node port : layer.xml.child("output").children("port")) {
            const auto names = split_tensor_names(port.attribute("names").value());
            if (!names.empty()) {
                check_output(node, layer, index);
                node.output(index).set_names(names);
            }
            ++index;
        }
    }

    pugi::xml_node net_;
    WeightsReader& weights_;
    const Deadline& deadline_;
    std::vector<Layer> layers_;
    UniqueNames taken_names_;
    std::vector<std::string> names_;
    std::vector<NodePtr> nodes_;  // by layer; null for those that no output needs
    std::vector<std::size_t> order_;
};

}  // namespace

bool can_read(const ModelSource& source) {
    constexpr std::size_t kSearched = 4096;
    const std::string text = text_start(text_of(source), kSearched);
    return trim(text).starts_with('<') && text.find("<net") != std::string::npos;
}

std::shared_ptr<Graph> read(const ModelSource& source) {
    const auto file = [&] { return source.path.empty() ? "model in memory" : source.path; };
    return at_place(file, [&] {
        pugi::xml_document document;
        parse(source, document);
        WeightsReader weights(source);
        const Deadline deadline(source.limits.compile_time);
        return GraphReader(find_net(document), weights, deadline).read_model(source.limits);
    });
}

}  // namespace rondo::ir
