// Gathers the elements of the data that each position of a sliding filter meets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::cpu {

/// One spatial axis of a convolution.
struct WindowAxis {
    std::int64_t input = 1;
    std::int64_t kernel = 1;
    std::int64_t output = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t pad_begin = 0;
};

/// The product of the inputs, kernels or outputs of all axes.
inline std::int64_t axes_product(const std::array<WindowAxis, 3>& axes,
                                 std::int64_t WindowAxis::*extent) {
    return axes[0].*extent * (axes[1].*extent) * (axes[2].*extent);
}

/// data [N, G*C, spatial...], filters [G, O, C, spatial...]; axes that a convolution lacks come
/// first, with extent 1.
struct ConvolutionSizes {
    std::int64_t batch = 1;
    std::int64_t channels = 1;  ///< of a group
    std::int64_t filters = 1;   ///< likewise
    std::array<WindowAxis, 3> axes;
    std::int64_t groups = 1;
};

/// Windows of [C*kernel] elements, one for each output position. Immutable.
class Windows {
public:
    explicit Windows(const ConvolutionSizes& sizes);

    std::int64_t size() const { return size_; }                  ///< elements of a window
    std::int64_t positions() const { return positions_; }        ///< outputs of one filter
    std::int64_t image() const { return channels_ * channel_; }  ///< elements of the data
    bool is_data() const { return is_data_; }  ///< the only window is the data as it lies
    /// Whether the elements of each window lie side by side in the data.
    bool lie_in_data() const { return lie_in_data_; }

    /// The windows of `count` positions from `first` on, as columns: [C*kernel][lanes], with zeros
    /// after the last one. T: float or double.
    template <typename T>
    void gather_panel(const T* data, std::int64_t first, std::int64_t count, std::int64_t lanes,
                      T* panel) const;

    /// The windows of all positions, each [C*kernel] in a row; for few positions.
    template <typename T>
    void gather_rows(const T* data, T* rows) const;

    /// rows[position] = where its window starts, if they lie in the data.
    template <typename T>
    void point_to_rows(const T* data, const void** rows) const;

private:
    struct Piece;
    struct Taps;
    Taps taps_from(std::int64_t x) const;
    Piece piece_at(std::int64_t position, std::int64_t most) const;
    bool is_inside(const Piece& piece) const;
    template <typename T>
    void gather_piece(const T* data, const Piece& piece, std::int64_t lanes, T* panel) const;
    bool gather_in_vectors(const float* data, std::int64_t first, std::int64_t count,
                           float* panel) const;
    template <typename T>
    void gather_line(const T* line, std::int64_t x, std::int64_t count, T* to) const;
    template <typename T>
    const T* line_of_tap(const T* channel, const std::int64_t (&tap)[2],
                         const std::int64_t (&place)[3]) const;
    template <typename T, typename Each>
    void for_each_line(const T* data, const std::int64_t (&place)[3], Each each) const;
    template <typename Each>
    void for_each_place(Each each) const;
    template <typename T>
    void gather_window(const T* data, const std::int64_t (&place)[3], T* to) const;
    template <typename T>
    void gather_taps(const T* line, const Taps& taps, T* to) const;
    template <int kTaps, typename T>
    void gather_some(const T* from, T* to) const;

    std::array<WindowAxis, 3> axes_;
    std::int64_t channels_ = 0;
    std::int64_t channel_ = 1;  // elements of one channel
    std::int64_t size_ = 1;
    std::int64_t positions_ = 1;
    bool is_data_ = true;
    bool lie_in_data_ = false;
    bool are_columns_ = false;  // position p is element p of each channel
};

// With AVX-512, defined where the option RONDO_JIT is on: no other instruction set asks for them.
namespace avx {

/// Lines that 16 positions may meet at one tap.
inline constexpr int kMostPieces = 4;

/// What 16 positions meet at one tap of a channel: for each piece, positions beside each other in a
/// line of the output, which lanes lie inside of the data, and where lane 0 would.
struct GatheredTap {
    std::int64_t place[kMostPieces];
    std::uint16_t lanes[kMostPieces];
};

/// [channel][tap][16 lanes], zeros outside of the data. Channels are `channel` numbers apart. The
/// CPU must have AVX-512.
void gather_taps(const float* data, std::int64_t channels, std::int64_t channel,
                 std::span<const GatheredTap> taps, int pieces, float* panel);

/// Every second of 2 * count - 1 numbers. Likewise.
void copy_every_second(const float* from, std::int64_t count, float* to);

}  // namespace avx

}  // namespace rondo::cpu
