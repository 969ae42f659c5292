// The spectrum of a signal in short frames.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: signal of a floating type, [T] or [batch, T]; window, [W] of the same type; frame_size
/// and frame_step, one integer each, above 0; W <= frame_size <= T. Frame f is the signal from
/// f frame_step on, frame_size elements long, times the window, which stands in the middle between
/// zeros where it is shorter; only whole frames count. Output: the numbers 0 to frame_size / 2 of
/// each frame's DFT, [batch, frames, frequencies, 2]; [batch, frequencies, frames, 2] with
/// `transpose_frames`.
class Stft final : public Op<Stft> {
public:
    static constexpr OpType kType{"STFT", 15};

    Stft() = default;
    Stft(std::vector<Output> inputs, bool transpose_frames)
        : Op(std::move(inputs)), transpose_frames_(transpose_frames) {}

    bool frames_first() const { return !transpose_frames_; }

    OpTraits traits() const override { return {.data_inputs = 2}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("transpose_frames", self.transpose_frames_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    bool transpose_frames_ = false;
};

}  // namespace rondo::ops
