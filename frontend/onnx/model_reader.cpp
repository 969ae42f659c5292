// Reads the bytes of an ONNX model into a graph.
#include <google/protobuf/arena.h>
#include <google/protobuf/stubs/logging.h>
#include <rondo_onnx.pb.h>

#include <limits>

#include "core/graph/rt_info_keys.hpp"
#include "core/support/error_place.hpp"
#include "frontend/onnx/graph_reader.hpp"
#include "frontend/onnx/onnx.hpp"

namespace rondo::onnx {
namespace {

// Protobuf's own limits hold: messages nested at most 100 deep, 2 GiB in all.
void parse(const ModelSource& source, rondo_onnx::ModelProto& model) {
    if (source.size == 0) throw ModelError("the file is empty");
    if (source.size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw ModelError("the file has " + std::to_string(source.size) +
                         " bytes; expected less than 2 GiB: larger models keep their weights in "
                         "files of external data");
    }
    const google::protobuf::LogSilencer silence;
    if (!model.ParseFromArray(source.data, static_cast<int>(source.size))) {
        throw ModelError("can't be parsed as an ONNX model: truncated or corrupt");
    }
}

// What else the message says, for a writer of the graph.
void keep_facts(const rondo_onnx::ModelProto& model, Graph& graph) {
    for (const auto& entry : model.metadata_props()) {
        if (entry.key() == kFixedExtents) graph.rt_info()[kFixedExtents] = entry.value();
    }
    for (int i = 0; i < model.graph().output_size(); ++i) {
        const auto& declared = model.graph().output(i).type().tensor_type();
        Node& result = *graph.results()[static_cast<std::size_t>(i)];
        if (result.output_shape(0).has_rank() || !declared.has_shape()) continue;
        result.rt_info()[kDeclaredRank] = std::to_string(declared.shape().dim_size());
    }
}

}  // namespace

std::shared_ptr<Graph> read(const ModelSource& source) {
    const auto place = [&] { return source.path.empty() ? "the model" : source.path; };
    return at_place(place, [&] {
        // Where memory runs out half-way, the arena still has all parts of the message.
        google::protobuf::Arena arena;
        auto& model = *google::protobuf::Arena::CreateMessage<rondo_onnx::ModelProto>(&arena);
        parse(source, model);
        if (!model.has_graph()) throw ModelError("the ONNX model holds no graph");
        auto graph = read_graph(model, source);
        keep_facts(model, *graph);
        return graph;
    });
}

}  // namespace rondo::onnx
