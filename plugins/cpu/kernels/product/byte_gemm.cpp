#include "plugins/cpu/kernels/product/byte_gemm.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace rondo::cpu {
namespace {

// A pair of products fits in 32 bits, and their sums wrap.
template <typename Byte>
void plain_block(const ByteGemm& gemm, std::int64_t row, std::int64_t rows, const void* panel,
                 ByteSums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int16_t* a = pair_row(gemm, row + r);
        const auto* b = static_cast<const Byte*>(panel);
        std::uint32_t result[kByteLanes] = {};
        for (std::int64_t pair = 0; pair < pairs; ++pair, b += kPairBytes) {
            for (std::int64_t lane = 0; lane < kByteLanes; ++lane) {
                result[lane] += static_cast<std::uint32_t>(a[2 * pair] * b[2 * lane] +
                                                           a[2 * pair + 1] * b[2 * lane + 1]);
            }
        }
        std::memcpy(sums[r], result, sizeof result);
    }
}

ByteBlock block_for(Isa isa, bool is_signed) {
    if (isa != Isa::plain) return avx::byte_block(isa, is_signed);
    return is_signed ? plain_block<std::int8_t> : plain_block<std::uint8_t>;
}

// sum over k of a (b - zero) = sum over k of a b - zero * sum over k of a. T: what C holds.
template <typename T>
void store(const ByteGemm& gemm, std::int64_t row, Range columns, const std::uint32_t* zeros,
           const ByteSums& sums) {
    const auto row_sum = static_cast<std::uint32_t>(gemm.sums[row]);
    T* to = static_cast<T*>(gemm.c) + row * gemm.n + columns.begin;
    const auto corrected = [&](std::int64_t i) {
        return static_cast<T>(
            static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]) - zeros[i] * row_sum));
    };
    if (columns.size() == kByteLanes) {
        for (std::int64_t i = 0; i < kByteLanes; ++i) to[i] = corrected(i);
        return;
    }
    for (std::int64_t i = 0; i < columns.size(); ++i) to[i] = corrected(i);
}

class BytePairs final : public ByteKernel {
public:
    BytePairs(Isa isa, ElementType result)
        : isa_(isa),
          floats_(result == ElementType::f32),
          name_(std::string("byte_gemm_") + name_of(isa)) {}

    const char* name() const override { return name_.c_str(); }
    std::int64_t panel_bytes(std::int64_t k) const override { return pairs_of(k) * kPairBytes; }
    std::int64_t row_bytes(std::int64_t k) const override { return 4 * pairs_of(k); }

    // [ceil(n / 16)][ceil(k / 2)][16][2], with zeros for what B lacks.
    void pack(const ByteData& b, std::int64_t k, std::int64_t n, void* to,
              Range panels) const override {
        const auto* from = static_cast<const std::uint8_t*>(b.data);
        for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
            auto* bytes = static_cast<std::uint8_t*>(to) + panel * panel_bytes(k);
            const std::int64_t first = panel * kByteLanes;
            const std::int64_t count = std::min(kByteLanes, n - first);
            std::memset(bytes, 0, static_cast<std::size_t>(panel_bytes(k)));
            for (std::int64_t row = 0; row < k; ++row) {
                std::uint8_t* pair = bytes + row / 2 * kPairBytes + row % 2;
                for (std::int64_t i = 0; i < count; ++i) pair[2 * i] = from[row * n + first + i];
            }
        }
    }

    ByteRow load_row(const ByteData& a, std::int64_t k, std::int32_t zero_point,
                     void* to) const override {
        auto* numbers = static_cast<std::int16_t*>(to);
        std::uint32_t sum = 0;
        const auto centre = [&](const auto* from) {
            for (std::int64_t i = 0; i < k; ++i) {
                const std::int32_t value = from[i] - zero_point;
                numbers[i] = static_cast<std::int16_t>(value);
                sum += static_cast<std::uint32_t>(value);
            }
        };
        if (a.is_signed) {
            centre(static_cast<const std::int8_t*>(a.data));
        } else {
            centre(static_cast<const std::uint8_t*>(a.data));
        }
        if (k % 2 != 0) numbers[k] = 0;
        return {static_cast<std::int32_t>(sum), 0};
    }

    void run(const ByteGemm& gemm, Range rows, Range panels) const override {
        if (rows.empty()) return;
        const ByteBlock block = block_for(isa_, gemm.panels.is_signed);
        const std::int64_t blocks = divide_up(rows.size(), kByteRows);
        ByteSums sums[kByteRows];
        for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
            const void* b = gemm.panels.from(panel * panel_bytes(gemm.k)).data;
            const std::int64_t first = panel * kByteLanes;
            const Range columns{first, std::min(first + kByteLanes, gemm.n)};
            std::uint32_t zeros[kByteLanes] = {};
            for (std::int64_t i = columns.begin; i < columns.end; ++i) {
                const std::int32_t zero = gemm.zero_points.at(i * gemm.zero_point_step);
                zeros[i - first] = static_cast<std::uint32_t>(zero);
            }
            for (std::int64_t i = 0; i < blocks; ++i) {  // of nearly equal size
                const Range part = slice_of(rows.size(), i, blocks);
                const std::int64_t row = rows.begin + part.begin;
                block(gemm, row, part.size(), b, sums);
                for (std::int64_t r = 0; r < part.size(); ++r) {
                    floats_ ? store<float>(gemm, row + r, columns, zeros, sums[r])
                            : store<std::int32_t>(gemm, row + r, columns, zeros, sums[r]);
                }
            }
        }
    }

private:
    Isa isa_;
    bool floats_;
    std::string name_;
};

}  // namespace

void pack_byte_fours(const ByteData& b, std::int64_t k, std::int64_t n, std::int64_t columns,
                     const BytePanel& to) {
    constexpr std::int64_t kFours = 4;
    const auto* from = static_cast<const std::uint8_t*>(b.data);
    const std::uint8_t flip = b.is_signed ? 0 : kSignBit;
    std::memset(to.data, 0, static_cast<std::size_t>(to.bytes));
    auto* sums = static_cast<std::int32_t*>(to.data);
    auto* bytes = reinterpret_cast<std::int8_t*>(sums + kByteLanes);
    for (std::int64_t row = 0; row < k; ++row, from += n) {
        std::int8_t* step = bytes + row / kFours * kFours * kByteLanes + row % kFours;
        for (std::int64_t i = 0; i < columns; ++i) {
            const auto value = static_cast<std::int8_t>(from[i] ^ flip);
            step[kFours * i] = value;
            sums[i] += value;
        }
    }
}

std::unique_ptr<ByteKernel> make_byte_pairs(Isa isa, ElementType result) {
    return std::make_unique<BytePairs>(isa, result);
}

}  // namespace rondo::cpu
