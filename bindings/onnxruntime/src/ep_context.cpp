#include "bindings/onnxruntime/src/ep_context.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "bindings/onnxruntime/src/element_types.hpp"
#include "bindings/onnxruntime/src/host_attribute.hpp"
#include "bindings/onnxruntime/src/names.hpp"
#include "bindings/onnxruntime/src/part_notes.hpp"
#include "rondo/error.hpp"
#include "rondo/version.hpp"

namespace rondo::ort {
namespace {

constexpr const char* kContextOperator = "EPContext";
constexpr const char* kContextDomain = "com.microsoft";

// Attributes until a node takes them.
class ContextAttributes {
public:
    explicit ContextAttributes(const Host& host) : host_(host) {}
    ~ContextAttributes() {
        for (auto* attribute : attributes_) {
            if (attribute != nullptr) host_->ReleaseOpAttr(attribute);
        }
    }
    ContextAttributes(const ContextAttributes&) = delete;
    ContextAttributes& operator=(const ContextAttributes&) = delete;

    void add(const char* name, std::int64_t value) {
        add(name, &value, 1, ORT_OP_ATTR_INT);  // a length of one element
    }
    void add(const char* name, const std::string& value) {
        if (value.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
            throw UnsupportedError("a part has " + std::to_string(value.size()) +
                                   " bytes, which no node can hold; set ep.context_embed_mode=0");
        }
        add(name, value.data(), static_cast<int>(value.size()), ORT_OP_ATTR_STRING);
    }

    OrtNode* make_node(const std::string& name, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
        const auto ins = pointers(inputs);
        const auto outs = pointers(outputs);
        OrtNode* node = nullptr;
        host_.check(host_.editor().CreateNode(kContextOperator, kContextDomain, name.c_str(),
                                              ins.data(), ins.size(), outs.data(), outs.size(),
                                              attributes_.data(), attributes_.size(), &node));
        attributes_.clear();
        return node;
    }

private:
    void add(const char* name, const void* data, int length, OrtOpAttrType type) {
        attributes_.push_back(host_.get<OrtOpAttr*>(host_->CreateOpAttr, name, data, length, type));
    }
    static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
        std::vector<const char*> pointers;
        for (const auto& text : texts) pointers.push_back(text.c_str());
        return pointers;
    }

    const Host& host_;
    std::vector<OrtOpAttr*> attributes_;
};

std::string needed_text(const Host& host, const HostNode& node, const char* name) {
    auto text = text_attribute(host, node.handle, name);
    if (!text) throw ModelError("attribute '" + std::string(name) + "' is missing");
    return std::move(*text);
}

std::string bytes_in_node(const Host& host, const HostNode& node, const FileRange& range) {
    auto bytes = needed_text(host, node, "ep_cache_context");
    // If the last byte is zero, it may have been taken for the text's end.
    const bool fits = bytes.size() == range.size || bytes.size() + 1 == range.size;
    if (range.begin != 0 || !fits) {
        throw ModelError("ep_cache_context has " + std::to_string(bytes.size()) +
                         " bytes; notes says " + std::to_string(range.size) + " from byte " +
                         std::to_string(range.begin) + " on");
    }
    bytes.resize(range.size);
    return bytes;
}

std::string bytes_of_part(const Host& host, const ContextOptions& options, const HostGraph& graph,
                          const HostNode& node, const FileRange& range) {
    if (int_attribute(host, node.handle, "main_context").value_or(1) != 1) {
        throw ModelError("main_context is 0; expected 1, since each node has a part of its own");
    }
    if (int_attribute(host, node.handle, "embed_mode").value_or(1) == 1) {
        return bytes_in_node(host, node, range);
    }
    const auto path = model_path(host, graph.handle);
    return read_context_file(path.empty() ? options.model_path : path,
                             needed_text(host, node, "ep_cache_context"), range);
}

// The compiled model's ports by the names that the node has for them. An output of another type
// than the graph says would pass the end of its memory.
std::map<std::string, std::size_t> match_ports(const HostGraph& graph,
                                               const std::vector<std::string>& names,
                                               const std::vector<std::size_t>& places,
                                               const std::vector<PortInfo>& ports) {
    const std::set<std::string> different(names.begin(), names.end());
    if (different.size() != names.size() || places.size() != ports.size() ||
        names.size() != ports.size()) {
        throw ModelError("the node has " + std::to_string(names.size()) + " ports, notes has " +
                         std::to_string(places.size()) + ", and the part has " +
                         std::to_string(ports.size()) + "; expected as many, each once");
    }
    std::map<std::string, std::size_t> matched;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto place = places[i];
        if (place >= names.size() || !matched.emplace(names[place], i).second) {
            throw ModelError("notes has port " + std::to_string(place) + " too often, or of " +
                             std::to_string(names.size()) + " ports");
        }
        const auto& type = graph.values.at(names[place]).type;
        if (!type.is_tensor || element_type_of_number(type.element_type) != ports[i].element_type) {
            throw ModelError("value " + in_quotes(names[place]) +
                             " is of another type than the part");
        }
    }
    return matched;
}

CompiledPart import_part(const Core& core, const Options& options, std::string bytes) {
    Properties properties = options.properties;
    // Not as the session that wrote the part was profiled.
    properties.emplace(property::kPerfTrace, "NO");
    std::istringstream stream(std::move(bytes));
    CompiledPart part;
    part.model = core.import_model(stream, "CPU", properties);
    return part;
}

}  // namespace

bool is_context(const Host& host, const HostNode& node) {
    return node.op == kContextOperator && node.domain == kContextDomain &&
           text_attribute(host, node.handle, "source") == kProviderName;
}

CompiledPart read_context(const Host& host, const Core& core, const Options& options,
                          const HostGraph& graph, const HostNode& node) {
    try {
        const auto notes = read_notes(needed_text(host, node, "notes"));
        auto part = import_part(core, options,
                                bytes_of_part(host, options.context, graph, node, notes.bytes));
        part.inputs = match_ports(graph, node.inputs, notes.inputs, part.model.inputs());
        part.outputs = match_ports(graph, node.outputs, notes.outputs, part.model.outputs());
        return part;
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(named(node) + ": " + error.what());
    } catch (const ModelError& error) {
        throw ModelError(named(node) + ": " + error.what());
    }
}

ContextWriter::ContextWriter(const Host& host, const ContextOptions& options,
                             const std::string& model_path)
    : host_(host), options_(options) {
    if (options.embeds) return;
    file_ = std::make_unique<ContextFile>(context_model_path(options, model_path));
}

OrtNode* ContextWriter::write(const FusedNode& part, const OrtNode* fused) {
    PartNotes notes{part.sources(), part.targets(), {}};
    ContextAttributes attributes(host_);
    attributes.add("main_context", 1);
    attributes.add("embed_mode", options_.embeds ? 1 : 0);
    if (file_ != nullptr) {
        notes.bytes.begin = file_->size();
        part.export_model(file_->stream());
        notes.bytes.size = file_->size() - notes.bytes.begin;
        attributes.add("ep_cache_context", file_->location());
    } else {
        std::ostringstream stream;
        part.export_model(stream);
        const std::string bytes = std::move(stream).str();
        notes.bytes.size = bytes.size();
        attributes.add("ep_cache_context", bytes);
    }
    const auto name = name_of(host_, fused);
    attributes.add("source", kProviderName);
    attributes.add("ep_sdk_version", RONDO_VERSION);
    attributes.add("partition_name", options_.prefix + name);
    attributes.add("notes", text_of(notes));
    return attributes.make_node(name, input_names(host_, fused), output_names(host_, fused));
}

void ContextWriter::finish() {
    if (file_ != nullptr) file_->finish();
}

}  // namespace rondo::ort
