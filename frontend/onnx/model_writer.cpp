// Writes a graph as the bytes of an ONNX model.
#include <google/protobuf/arena.h>
#include <rondo_onnx.pb.h>

#include <limits>

#include "core/ir/output_file.hpp"
#include "core/support/error_place.hpp"
#include "frontend/onnx/onnx.hpp"
#include "frontend/onnx/writer/graph_writer.hpp"

namespace rondo::onnx {

std::string to_bytes(const Graph& graph, ElementType weights) {
    // Where memory runs out half-way, the arena still has all parts of the message.
    google::protobuf::Arena arena;
    auto& model = *google::protobuf::Arena::CreateMessage<rondo_onnx::ModelProto>(&arena);
    write_model(graph, weights, model);
    const std::size_t size = model.ByteSizeLong();
    if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw UnsupportedError("the model has " + std::to_string(size) +
                               " bytes; an ONNX file holds less than 2 GiB; write IR (.xml) "
                               "instead");
    }
    return model.SerializeAsString();
}

void write(const Graph& graph, const std::string& path, ElementType weights) {
    const std::string bytes =
        at_place([&] { return path; }, [&] { return to_bytes(graph, weights); });
    ir::OutputFile file(path);
    file.write(bytes.data(), bytes.size());
    file.sync();
    file.finish();
    file.publish();
}

}  // namespace rondo::onnx
