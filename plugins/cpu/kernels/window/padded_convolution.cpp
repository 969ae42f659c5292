// Convolution whose filters come with the run and may hold infinities or NaN.
#include <algorithm>
#include <bit>
#include <utility>

#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

// One added to the exponent carries into the sign where all its bits are set, and there alone.
template <typename T, typename Word>
bool are_finite(const T* numbers, std::int64_t count, Word exponent_unit) {
    constexpr Word kSign = Word{1} << (8 * sizeof(Word) - 1);
    Word found = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        found |= (std::bit_cast<Word>(numbers[i]) & ~kSign) + exponent_unit;
    }
    return (found & kSign) == 0;
}

class PaddedConvolution final : public Convolution {
public:
    PaddedConvolution(std::unique_ptr<Convolution> fast, Precision precision,
                      const ConvolutionSizes& sizes)
        : fast_(std::move(fast)),
          plain_(make_plain_convolution(
              precision == Precision::f64 ? ElementType::f64 : ElementType::f32, sizes)),
          precision_(precision),
          count_(sizes.groups * sizes.filters * sizes.channels *
                 axes_product(sizes.axes, &WindowAxis::kernel)) {}

    std::size_t scratch_bytes() const override {
        return std::max(fast_->scratch_bytes(), plain_->scratch_bytes());
    }
    void run(const ConvolutionArgs& args, Team& team) const override {
        const bool finite = cpu::are_finite(args.filters, count_, precision_);
        (finite ? fast_ : plain_)->run(args, team);
    }

private:
    std::unique_ptr<Convolution> fast_;
    std::unique_ptr<Convolution> plain_;
    Precision precision_;
    std::int64_t count_;  // of the filters' elements
};

}  // namespace

bool meets_padding(const ConvolutionSizes& sizes) {
    return std::any_of(sizes.axes.begin(), sizes.axes.end(), [](const WindowAxis& axis) {
        const std::int64_t last =
            (axis.output - 1) * axis.stride + (axis.kernel - 1) * axis.dilation - axis.pad_begin;
        return axis.pad_begin > 0 || last >= axis.input;
    });
}

bool are_finite(const void* numbers, std::int64_t count, Precision precision) {
    if (precision == Precision::f64) {
        return are_finite(static_cast<const double*>(numbers), count, std::uint64_t{1} << 52);
    }
    return are_finite(static_cast<const float*>(numbers), count, std::uint32_t{1} << 23);
}

std::unique_ptr<Convolution> make_padded_convolution(std::unique_ptr<Convolution> fast,
                                                     Precision precision,
                                                     const ConvolutionSizes& sizes) {
    return std::make_unique<PaddedConvolution>(std::move(fast), precision, sizes);
}

}  // namespace rondo::cpu
