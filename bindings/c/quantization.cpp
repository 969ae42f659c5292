// Quantising a model, from rondo/c/model.h.
#include <memory>

#include "bindings/c/handles.hpp"
#include "rondo/quantization.hpp"

using namespace rondo::c;

struct rondo_quantization_list {
    std::vector<rondo::LayerQuantization> layers;
    std::vector<rondo_layer_quantization_t> infos;
};

namespace {

rondo::QuantizationOptions quantization_options(const rondo_quantization_options_t* given) {
    rondo::QuantizationOptions options;
    if (given == nullptr) return options;
    if (given->struct_size < sizeof(rondo_quantization_options_t)) {
        throw InvalidArgument(
            "'options' has no struct_size; begin with RONDO_QUANTIZATION_OPTIONS_INIT");
    }
    if (given->format != nullptr) options.format = given->format;
    options.least_decibels = given->least_decibels;
    if (given->least_weights > 0) options.least_weights = given->least_weights;
    for (size_t i = 0; i < given->keep_count; ++i) {
        options.keep.emplace_back(text((&required(given->keep, "keep"))[i], "keep"));
    }
    return options;
}

}  // namespace

rondo_status_t rondo_model_quantize(rondo_model_t* model,
                                    const rondo_quantization_options_t* options,
                                    rondo_quantization_list_t** layers) {
    return produce(layers, "layers", [&] {
        auto list = std::make_unique<rondo_quantization_list>();
        list->layers = required(model, "model").model.quantize(quantization_options(options));
        for (const auto& layer : list->layers) {
            list->infos.push_back({layer.name.c_str(), layer.type.c_str(), layer.kept.c_str(),
                                   layer.decibels, layer.bytes, layer.new_bytes});
        }
        return list.release();
    });
}

size_t rondo_quantization_list_size(const rondo_quantization_list_t* list) {
    return list == nullptr ? 0 : list->infos.size();
}

const rondo_layer_quantization_t* rondo_quantization_list_at(const rondo_quantization_list_t* list,
                                                             size_t index) {
    return index < rondo_quantization_list_size(list) ? &list->infos[index] : nullptr;
}

void rondo_quantization_list_free(rondo_quantization_list_t* list) { delete list; }
