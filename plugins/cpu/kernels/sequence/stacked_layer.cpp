#include "plugins/cpu/kernels/sequence/stacked_layer.hpp"

#include <string>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/sequence/stacked_plan.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

const CellConfig& cell_of(const SequenceConfig& config) { return config.cells[0]; }

[[noreturn]] void fail(std::size_t layer, const std::string& what) {
    throw ModelError("stacked layers: layer " + std::to_string(layer) + " " + what);
}

void check_layer(std::size_t index, const SequenceConfig& config) {
    if (config.direction == Direction::bidirectional || config.cells.size() != 1) {
        fail(index, "has two directions; expected one");
    }
}

void check_pair(std::size_t index, const SequenceConfig& below, const SequenceConfig& config) {
    if (config.direction != below.direction) fail(index, "runs against the layer below");
    if (config.data != below.data) {
        fail(index, "has data of type " + std::string(to_string(config.data)) +
                        ", the layer below " + std::string(to_string(below.data)));
    }
    if (cell_of(config).input_size != cell_of(below).hidden_size) {
        fail(index, "takes " + std::to_string(cell_of(config).input_size) +
                        " inputs, the layer below gives " +
                        std::to_string(cell_of(below).hidden_size));
    }
}

}  // namespace

void check_stack(std::span<const StackedLayer> layers) {
    if (layers.size() < 2 || layers.size() > kMaxStackedLayers) {
        throw ModelError("stacked layers: got " + std::to_string(layers.size()) +
                         "; expected 2 to " + std::to_string(kMaxStackedLayers));
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        check_layer(i, layers[i].config);
        if (i > 0) check_pair(i, layers[i - 1].config, layers[i].config);
    }
}

PackedStackedLayer::PackedStackedLayer(const StackedLayer& from, Isa isa)
    : sequence(from.config, isa),
      gemm(shared_gemm_kernel(isa, from.config.input_weights)),
      kernels(make_sequence_layer(from.config, 0, isa, *gemm)) {
    SerialTeam team;
    AlignedBytes bytes(sequence.packed_bytes());
    sequence.pack(from.weights, bytes.data(), team);
    memory = SharedBytes(std::move(bytes));
    packed = packed_layer_at(kernels, memory.data());
}

}  // namespace rondo::cpu
