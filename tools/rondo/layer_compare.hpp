// Compares what single nodes of two models compute, to find the first one that differs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "difference.hpp"
#include "rondo/core.hpp"

namespace rondo::tool {

/// An output of a node that both models have.
struct LayerDifference {
    std::string node;
    std::string type;
    std::size_t output = 0;
    std::string element_type;
    Difference difference;
};

struct LayerComparison {
    std::vector<LayerDifference> layers;  ///< each after its inputs
    std::size_t unpaired = 0;             ///< nodes of the model that the reference lacks
};

/// One of the two runs.
struct Run {
    Model model;
    std::string device;
    Properties properties = {};
};

/// Runs both models with the outputs of all nodes that have the same name, type and shape in both
/// as outputs of the models. Nodes in bodies are left out. Throws ModelError if there is none.
LayerComparison compare_layers(const Core& core, const Run& tested, const Run& reference,
                               const std::map<std::string, Tensor>& inputs,
                               const CompareOptions& options);

/// The first one past the tolerance; null if all are within it.
const LayerDifference* first_past(const LayerComparison& comparison);

/// "first node that differs: 'lstm' (LSTMSequence) f32[1,1,64]: ..." and how many were compared.
std::string to_text(const LayerComparison& comparison);
/// An array: an entry a layer.
nlohmann::json to_json(const LayerComparison& comparison);

}  // namespace rondo::tool
