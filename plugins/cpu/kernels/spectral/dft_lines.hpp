// Transforms the lines along one axis of a tensor, from and to real or complex numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/spectral/fft.hpp"

namespace rondo::cpu {

enum class DftKind : std::uint8_t {
    complex_forward,
    complex_back,  ///< divided by n
    from_real,     ///< the numbers 0 to n/2 of n real ones' transform
    to_real,       ///< the n real numbers of such a half, divided by n
};

/// Lines along the middle axis of [outer, extent, inner]; complex numbers are pairs.
struct DftSizes {
    std::int64_t n = 1;      ///< length of the transform
    std::int64_t taken = 0;  ///< numbers that a line has; zeros follow up to what n needs
    std::int64_t inner = 1;
};

/// `lanes` neighbouring lines.
template <typename T>
struct DftArgs {
    const T* from;              ///< the first number of the first line
    T* to;                      ///< likewise
    std::int64_t lanes;         ///< lines, at most inner
    double* work;               ///< work_size(lanes) numbers
    const T* window = nullptr;  ///< of from_real with inner 1: a factor for each number taken
    std::int64_t to_step = 0;   ///< from_real: between neighbours of a line; 0: inner
    /// With a window: how many numbers before and after those that it reaches count as zeros,
    /// whatever they are.
    std::int64_t zeros_before = 0, zeros_behind = 0;
};

/// Computes in double and rounds once. A line's bits don't depend on the lines beside it. T: float
/// or double. Immutable.
template <typename T>
class DftLines {
public:
    DftLines(DftKind kind, const DftSizes& sizes);

    const DftSizes& sizes() const { return sizes_; }
    /// The complex or real numbers of an output line.
    std::int64_t output_extent() const {
        return kind_ == DftKind::from_real ? sizes_.n / 2 + 1 : sizes_.n;
    }
    std::int64_t work_size(std::int64_t lanes) const { return fft_.work_size(lanes); }
    /// How many lanes pay at once.
    std::int64_t best_lanes() const;

    void run(const DftArgs<T>& args) const;

private:
    void load_complex(const DftArgs<T>& args, Planes z, std::int64_t needed) const;
    void load_real(const DftArgs<T>& args, Planes z) const;
    void load_pairs(const DftArgs<T>& args, Planes z) const;
    void clear_ends(const DftArgs<T>& args, Planes z) const;
    void join_halves(const DftArgs<T>& args, Planes z) const;
    void mirror(const DftArgs<T>& args, Planes z) const;
    void store_complex(const DftArgs<T>& args, Planes z, std::int64_t count, double scale) const;
    void store_spectrum(const DftArgs<T>& args, Planes z) const;
    void store_real(const DftArgs<T>& args, Planes z) const;

    /// Where real numbers are pairs of a complex line of half the length.
    bool in_pairs() const { return fft_.n() < sizes_.n; }

    DftKind kind_;
    DftSizes sizes_;
    Fft fft_;
    std::vector<double> half_re_,
        half_im_;  // e^(-2 pi j k / n), k up to n/2: where numbers are pairs
};

extern template class DftLines<float>;
extern template class DftLines<double>;

}  // namespace rondo::cpu
