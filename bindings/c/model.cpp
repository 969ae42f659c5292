// Functions of rondo/c/model.h, except the lists of ports.
#include "rondo/c/model.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/handles.hpp"
#include "bindings/c/port_list.hpp"
#include "rondo/quantization.hpp"

using namespace rondo::c;

namespace rondo::c {

// One node with everything its struct points to: never moved.
class ListedNode {
public:
    explicit ListedNode(NodeInfo node) : node_(std::move(node)), info_{} {
        for (const auto& [name, value] : node_.attributes) {
            attributes_.push_back({name.c_str(), value.c_str()});
        }
        for (const auto& source : node_.inputs) inputs_.push_back({source.node, source.output});
        for (const PortInfo& port : node_.outputs) outputs_.entries.emplace_back(port);
        info_.name = node_.name.c_str();
        info_.type = node_.type.c_str();
        info_.opset = node_.opset.c_str();
        info_.attributes = attributes_.data();
        info_.attribute_count = attributes_.size();
        info_.inputs = inputs_.data();
        info_.input_count = inputs_.size();
        info_.outputs = &outputs_;
        info_.constant_bytes = node_.constant_bytes;
    }
    ListedNode(const ListedNode&) = delete;
    ListedNode& operator=(const ListedNode&) = delete;

    const rondo_node_info_t& info() const { return info_; }

private:
    NodeInfo node_;
    std::vector<rondo_property_t> attributes_;
    std::vector<rondo_node_source_t> inputs_;
    rondo_port_list outputs_;
    rondo_node_info_t info_;
};

}  // namespace rondo::c

struct rondo_node_list {
    std::deque<ListedNode> entries;
};

struct rondo_quantization_list
    : PointingList<rondo::LayerQuantization, rondo_layer_quantization_t> {};

namespace {

rondo::SaveOptions save_options(const rondo_save_options_t* given) {
    if (given == nullptr) return {};
    check_size(*given, "RONDO_SAVE_OPTIONS_INIT");
    return {element_type(given->weights), given->external_data != 0};
}

rondo::QuantizationOptions quantization_options(const rondo_quantization_options_t* given) {
    rondo::QuantizationOptions options;
    if (given == nullptr) return options;
    check_size(*given, "RONDO_QUANTIZATION_OPTIONS_INIT");
    if (given->format != nullptr) options.format = given->format;
    options.least_decibels = given->least_decibels;
    if (given->least_weights > 0) options.least_weights = given->least_weights;
    for (const char* const layer : elements(given->keep, given->keep_count, "keep")) {
        options.keep.emplace_back(text(layer, "keep"));
    }
    return options;
}

}  // namespace

void rondo_model_free(rondo_model_t* model) { delete model; }

rondo_status_t rondo_model_name(const rondo_model_t* model, const char** name) {
    return produce(name, "name", [&] { return model_of(model).name().c_str(); });
}

rondo_status_t rondo_model_inputs(const rondo_model_t* model, rondo_port_list_t** ports) {
    return produce(ports, "ports", [&] { return port_list(model_of(model).inputs()); });
}

rondo_status_t rondo_model_outputs(const rondo_model_t* model, rondo_port_list_t** ports) {
    return produce(ports, "ports", [&] { return port_list(model_of(model).outputs()); });
}

rondo_status_t rondo_model_find_input(const rondo_model_t* model, const char* name, size_t* index) {
    return produce(index, "index", [&] {
        const std::string wanted = text(name, "name");
        model_of(model).input(wanted);  // throws with the names there are
        return index_of(model_of(model).inputs(), wanted);
    });
}

rondo_status_t rondo_model_find_output(const rondo_model_t* model, const char* name,
                                       size_t* index) {
    return produce(index, "index", [&] {
        const std::string wanted = text(name, "name");
        model_of(model).output(wanted);
        return index_of(model_of(model).outputs(), wanted);
    });
}

rondo_status_t rondo_model_to_text(const rondo_model_t* model, char** text) {
    return produce(text, "text", [&] { return copy_text(model_of(model).to_text()); });
}

rondo_status_t rondo_model_reshape(rondo_model_t* model, const rondo_input_shape_t* shapes,
                                   size_t count) {
    return translate([&] {
        std::map<std::string, rondo::PartialShape> wanted;
        for (const rondo_input_shape_t& entry : elements(shapes, count, "shapes")) {
            const std::string input = text(entry.input, "input");
            const auto shape = rondo::PartialShape::parse(text(entry.shape, "shape"));
            if (!wanted.emplace(input, shape).second) {
                throw InvalidArgument("input '" + input + "' is named twice");
            }
        }
        model_of(model).reshape(wanted);
    });
}

rondo_status_t rondo_model_make_stateful(rondo_model_t* model, const rondo_state_pair_t* pairs,
                                         size_t count) {
    return translate([&] {
        std::vector<std::pair<std::string, std::string>> wanted;
        for (const rondo_state_pair_t& pair : elements(pairs, count, "pairs")) {
            wanted.emplace_back(text(pair.input, "input"), text(pair.output, "output"));
        }
        rondo::Model& changed = model_of(model);
        count == 0 ? changed.make_stateful() : changed.make_stateful(wanted);
    });
}

rondo_status_t rondo_model_apply_low_latency(rondo_model_t* model, int use_const_initializer) {
    return translate([&] { model_of(model).apply_low_latency(use_const_initializer != 0); });
}

rondo_status_t rondo_model_clone(const rondo_model_t* model, rondo_model_t** copy) {
    return produce(copy, "copy", [&] { return new rondo_model{model_of(model).clone()}; });
}

rondo_status_t rondo_model_value_range(const rondo_model_t* model, const char* input, int* known,
                                       int64_t* min, int64_t* max) {
    return translate([&] {
        auto& found = cleared(known, "known");
        int64_t& least = required(min, "min");
        int64_t& most = required(max, "max");
        const auto range = model_of(model).value_range(text(input, "input"));
        if (!range) return;
        found = 1;
        least = range->min;
        most = range->max;
    });
}

rondo_status_t rondo_model_save(const rondo_model_t* model, const char* path, int compress_to_f16) {
    return translate(
        [&] { rondo::save_model(model_of(model), text(path, "path"), compress_to_f16 != 0); });
}

rondo_status_t rondo_model_save_with(const rondo_model_t* model, const char* path,
                                     const rondo_save_options_t* options) {
    return translate(
        [&] { rondo::save_model(model_of(model), text(path, "path"), save_options(options)); });
}

rondo_status_t rondo_model_nodes(const rondo_model_t* model, rondo_node_list_t** nodes) {
    return produce(nodes, "nodes", [&] {
        auto list = std::make_unique<rondo_node_list>();
        for (auto& node : model_of(model).nodes()) {
            list->entries.emplace_back(std::move(node));
        }
        return list.release();
    });
}

size_t rondo_node_list_size(const rondo_node_list_t* list) { return entry_count(list); }

const rondo_node_info_t* rondo_node_list_at(const rondo_node_list_t* list, size_t index) {
    const ListedNode* node = entry_at(list, index);
    return node == nullptr ? nullptr : &node->info();
}

void rondo_node_list_free(rondo_node_list_t* list) { delete list; }

rondo_status_t rondo_model_quantize(rondo_model_t* model,
                                    const rondo_quantization_options_t* options,
                                    rondo_quantization_list_t** layers) {
    return produce(layers, "layers", [&] {
        const auto show = [](const rondo::LayerQuantization& layer) -> rondo_layer_quantization_t {
            return {layer.name.c_str(), layer.type.c_str(), layer.kept.c_str(),
                    layer.decibels,     layer.bytes,        layer.new_bytes};
        };
        return pointing_list<rondo_quantization_list>(
            model_of(model).quantize(quantization_options(options)), show);
    });
}

size_t rondo_quantization_list_size(const rondo_quantization_list_t* list) {
    return entry_count(list);
}

const rondo_layer_quantization_t* rondo_quantization_list_at(const rondo_quantization_list_t* list,
                                                             size_t index) {
    return entry_at(list, index);
}

void rondo_quantization_list_free(rondo_quantization_list_t* list) { delete list; }
