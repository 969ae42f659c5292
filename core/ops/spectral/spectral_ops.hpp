// Fourier transforms, of whole lines and of windows of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/common/families.hpp"

namespace rondo::ops {

// keep-sorted
enum class FourierFunction : std::uint8_t {
    dft,    ///< y[k] = sum over i of x[i] e^(-2 pi j k i / n)
    idft,   ///< y[k] = 1/n sum over i of x[i] e^(2 pi j k i / n)
    irdft,  ///< the real numbers whose rdft this is
    rdft,   ///< the numbers 0 to n/2 of the dft of real numbers
};

struct FourierInfo {
    OpType type;
    FourierFunction function;
};

/// In the order of FourierFunction.
inline constexpr FourierInfo kFourierOps[] = {
    {{"DFT", 7}, FourierFunction::dft},
    {{"IDFT", 7}, FourierFunction::idft},
    {{"IRDFT", 9}, FourierFunction::irdft},
    {{"RDFT", 9}, FourierFunction::rdft},
};
static_assert(in_order_of_functions(kFourierOps));

/// True if the data's, or the output's, last axis has the real and the imaginary part.
constexpr bool takes_complex(FourierFunction function) { return function != FourierFunction::rdft; }
constexpr bool gives_complex(FourierFunction function) {
    return function != FourierFunction::irdft;
}

/// Inputs: data of a floating type, with a last axis of extent 2 if it is complex; axes, one or
/// more integers (a negative one counts from the last axis that isn't the axis of complex parts);
/// optionally signal_size, an integer an axis. Along each axis the data is transformed with length
/// signal_size: zeros follow it or its end is left out. -1 and an absent input mean the
/// extent itself, and for 2 (extent - 1) along the last axis that IRDFT names: that axis holds
/// length/2 + 1 complex numbers for `length` real ones, as does the output of RDFT.
class Fourier final : public Clonable<Fourier> {
public:
    explicit Fourier(FourierFunction function) : info_(&kFourierOps[static_cast<int>(function)]) {}
    Fourier(FourierFunction function, std::vector<Output> inputs) : Fourier(function) {
        set_inputs(std::move(inputs));
    }

    FourierFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    OpTraits traits() const override { return OpTraits::op_along_axes(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    const FourierInfo* info_;
};

/// One axis of a transform.
struct FourierAxis {
    std::size_t axis = 0;
    Dimension length;  ///< of the transform: how many real or complex numbers it has in full
    Dimension output;  ///< the extent of the output
};

/// The axes that the inputs name, in their order; nothing while they aren't known. `extents`: those
/// of the data, without the axis of complex parts. Throws through `context` if they don't fit.
std::optional<std::vector<FourierAxis>> fourier_axes(const InferContext& context,
                                                     FourierFunction function,
                                                     const std::vector<Dimension>& extents);

/// Inputs: signal of a floating type, [T] or [batch, T]; window, [W] of the same type; frame_size
/// and frame_step, one integer each, above 0; W <= frame_size <= T. Frame f is the signal from
/// f frame_step on, frame_size elements long, times the window, which is in the middle between
/// zeros if it is shorter; only whole frames count. Output: the numbers 0 to frame_size / 2 of
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
