#include "frontend/onnx/initialized_inputs.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "core/support/error_place.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/messages/message_lists.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kDefaultsSince = 4;  // ModelProto.ir_version

std::set<std::string> initialized_inputs(const rondo_onnx::GraphProto& graph) {
    const auto initializers = initializer_names(graph);
    std::set<std::string> names;
    for (const auto& input : graph.input()) {
        if (initializers.contains(input.name())) names.insert(input.name());
    }
    return names;
}

template <typename Element>
void remove(const std::set<std::string>& names,
            google::protobuf::RepeatedPtrField<Element>& initializers) {
    keep_if(initializers, [&](int i) { return !names.contains(name_of(initializers[i])); });
}

bool is_noted(const rondo_onnx::ModelProto& model) {
    const auto& entries = model.metadata_props();
    return std::any_of(entries.begin(), entries.end(),
                       [](const auto& entry) { return entry.key() == kConstantInputs; });
}

// A line each. Names with control characters would make other lines, or no XML.
void note(const std::set<std::string>& names, rondo_onnx::ModelProto& model) {
    std::vector<std::string> lines;
    std::copy_if(names.begin(), names.end(), std::back_inserter(lines),
                 [](const std::string& name) { return name == one_line(name); });
    if (lines.empty() || is_noted(model)) return;
    auto& entry = *model.add_metadata_props();
    entry.set_key(kConstantInputs);
    entry.set_value(join(lines, "\n"));
}

}  // namespace

void settle_inputs(rondo_onnx::ModelProto& model, bool keep) {
    if (model.ir_version() < kDefaultsSince) return;
    auto& graph = *model.mutable_graph();
    const auto names = initialized_inputs(graph);
    if (names.empty()) return;
    if (!keep) return note(names, model);
    remove(names, *graph.mutable_initializer());
    remove(names, *graph.mutable_sparse_initializer());
}

}  // namespace rondo::onnx
