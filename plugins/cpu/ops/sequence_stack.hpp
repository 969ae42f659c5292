// Recurrent sequences that feed each other, as one op of the CPU device.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"

namespace rondo::cpu {

/// Each layer's X is the Y of the layer below, without its axis of directions. The layers agree in
/// direction (not bidirectional), element type and lengths, and have constant weights.
/// Inputs: X [N,T,I] and lengths [N], then for each layer H0 [N,1,H] and, LSTM only, C0 [N,1,H].
/// States and lengths may be implied (default_input.hpp).
/// Outputs: for each layer Y [N,1,T,H], Ho [N,1,H] and, LSTM only, Co [N,1,H].
/// X of the lowest layer and Y of the highest one may have another order of axes.
/// A pass of the CPU plugin makes it, and expand_sequences restores the layers for the runtime
/// model; the IR's writer refuses it.
class SequenceStack final : public Op<SequenceStack> {
public:
    static constexpr OpType kType{"SequenceStack", 0};
    static constexpr std::size_t kMaxLayers = 8;
    static constexpr std::size_t kX = 0, kLengths = 1;

    using Layers = std::vector<std::shared_ptr<const ops::RecurrentOp>>;

    /// `layers`: bottom first. They keep names, attributes and weights; their other inputs are the
    /// inputs of this op. `order`: of X and the highest Y alone, from the fused `transposes`.
    SequenceStack(std::vector<Output> inputs, Layers layers, SequenceOrder order = {},
                  StridedSequence::Transposes transposes = {})
        : Op(std::move(inputs)),
          layers_(std::move(layers)),
          order_(std::move(order)),
          transposes_(std::move(transposes)) {}

    const Layers& layers() const { return layers_; }
    const SequenceOrder& order() const { return order_; }
    const StridedSequence::Transposes& transposes() const { return transposes_; }
    /// The output that is Y of the highest layer.
    std::size_t highest_y() const { return ports(layers_.size() - 1).y; }

    /// The ports of a layer's tensors among the inputs and outputs; c and co are npos without LSTM.
    struct Ports {
        std::size_t h = 0, c = 0;
        std::size_t y = 0, ho = 0, co = 0;
    };
    Ports ports(std::size_t layer) const;

    /// The layers' types, shown when the graph is printed.
    static void visit_attributes(auto& self, auto& visitor) {
        std::vector<std::string> types;
        for (const auto& layer : self.layers_) types.emplace_back(layer->type_name());
        std::vector<std::int64_t> x(self.order_.x.begin(), self.order_.x.end());
        std::vector<std::int64_t> y(self.order_.y.begin(), self.order_.y.end());
        visitor.on("layers", types);
        visitor.on("x_order", x);
        visitor.on("y_order", y);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;

private:
    Layers layers_;
    SequenceOrder order_;
    StridedSequence::Transposes transposes_;
};

}  // namespace rondo::cpu
