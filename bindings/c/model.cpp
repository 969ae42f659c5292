// Functions of rondo/c/model.h, except the lists of nodes and ports.
#include "rondo/c/model.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/handles.hpp"
#include "bindings/c/port_list.hpp"

using namespace rondo::c;

namespace {

const rondo::Model& model_of(const rondo_model_t* handle) {
    return required(handle, "model").model;
}

// As transform_options() in core.cpp.
rondo::SaveOptions save_options(const rondo_save_options_t* given) {
    if (given == nullptr) return {};
    if (given->struct_size < sizeof(rondo_save_options_t)) {
        throw InvalidArgument("'options' has no struct_size; begin with RONDO_SAVE_OPTIONS_INIT");
    }
    return {element_type(given->weights), given->external_data != 0};
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
        for (size_t i = 0; i < count; ++i) {
            const rondo_input_shape_t& entry = (&required(shapes, "shapes"))[i];
            const std::string input = text(entry.input, "input");
            const auto shape = rondo::PartialShape::parse(text(entry.shape, "shape"));
            if (!wanted.emplace(input, shape).second) {
                throw InvalidArgument("input '" + input + "' is named twice");
            }
        }
        required(model, "model").model.reshape(wanted);
    });
}

rondo_status_t rondo_model_make_stateful(rondo_model_t* model, const rondo_state_pair_t* pairs,
                                         size_t count) {
    return translate([&] {
        std::vector<std::pair<std::string, std::string>> wanted;
        for (size_t i = 0; i < count; ++i) {
            const rondo_state_pair_t& pair = (&required(pairs, "pairs"))[i];
            wanted.emplace_back(text(pair.input, "input"), text(pair.output, "output"));
        }
        rondo::Model& changed = required(model, "model").model;
        count == 0 ? changed.make_stateful() : changed.make_stateful(wanted);
    });
}

rondo_status_t rondo_model_apply_low_latency(rondo_model_t* model, int use_const_initializer) {
    return translate(
        [&] { required(model, "model").model.apply_low_latency(use_const_initializer != 0); });
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
