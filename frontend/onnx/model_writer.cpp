// Writes a graph as the bytes of an ONNX model.
#include <google/protobuf/arena.h>
#include <rondo_onnx.pb.h>

#include <optional>

#include "core/ir/output_file.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/onnx.hpp"
#include "frontend/onnx/writer/context/external_weights.hpp"
#include "frontend/onnx/writer/graph_writer.hpp"

namespace rondo::onnx {
namespace {

std::size_t constant_bytes(const Graph& graph) {
    std::size_t bytes = 0;
    for_each_graph(graph, [&](const Graph& one) {
        for (const auto& node : one.ordered_nodes()) {
            const auto* constant = as_op<ops::Constant>(*node);
            if (constant != nullptr && constant->value()) bytes += constant->value().byte_size();
        }
    });
    return bytes;
}

// Empty if the message has more bytes than there may be.
std::optional<std::string> message_of(const Graph& graph, const ConstantsForm& form,
                                      std::size_t most) {
    // If memory runs out half-way, the arena still has all parts of the message.
    google::protobuf::Arena arena;
    auto& model = *google::protobuf::Arena::CreateMessage<rondo_onnx::ModelProto>(&arena);
    write_model(graph, form, model);
    if (model.ByteSizeLong() > most) return std::nullopt;
    return model.SerializeAsString();
}

// Constants alone may exceed it: then nothing is copied first.
std::optional<std::string> whole_message(const Graph& graph, ElementType weights,
                                         std::size_t most) {
    if (constant_bytes(graph) > most) return std::nullopt;
    return message_of(graph, {weights, nullptr}, most);
}

void write_bytes(const std::string& bytes, ir::OutputFile& file) {
    file.write(bytes.data(), bytes.size());
    file.sync();
    file.finish();
}

void write_with_data(const Graph& graph, const std::string& path, ElementType weights,
                     const WriteLimits& limits) {
    ir::OutputFile file(path);
    ExternalWeights external(path, limits.least_external);
    const auto bytes = message_of(graph, {weights, &external}, limits.most_message);
    if (!bytes) {
        throw UnsupportedError(
            "the model has 2 GiB or more besides its larger constants; an ONNX file holds less: "
            "write IR (.xml) instead");
    }
    write_bytes(*bytes, file);
    external.finish();
    // Both files can't be replaced at once, and the old model must not be read with the new data.
    if (external.has_file()) file.remove_old();
    external.publish();
    file.publish();
}

}  // namespace

std::string to_bytes(const Graph& graph, ElementType weights) {
    auto bytes = whole_message(graph, weights, WriteLimits().most_message);
    if (bytes) return *std::move(bytes);
    throw UnsupportedError(
        "the model has 2 GiB or more; an ONNX message holds less: write a file, which gets its "
        "constants beside it");
}

void write(const Graph& graph, const std::string& path, const SaveOptions& options,
           const WriteLimits& limits) {
    at_place([&] { return path; },
             [&] {
                 std::optional<std::string> bytes;
                 if (!options.external_data) {
                     bytes = whole_message(graph, options.weights, limits.most_message);
                 }
                 if (!bytes) return write_with_data(graph, path, options.weights, limits);
                 ir::OutputFile file(path);
                 write_bytes(*bytes, file);
                 file.publish();
             });
}

}  // namespace rondo::onnx
