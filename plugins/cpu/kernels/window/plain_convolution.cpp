// Convolution in plain loops: a line of the output takes one filter element times a line of the
// data at a time. Nothing is multiplied by the padding.
#include <algorithm>

#include "core/support/visit_type.hpp"
#include "core/support/wrapping.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPlainConvolutionGrain = 1 << 16;  // products that are worth a thread

template <typename T>
class PlainConvolution final : public Convolution {
public:
    explicit PlainConvolution(const ConvolutionSizes& sizes)
        : sizes_(sizes),
          channel_(axes_product(sizes.axes, &WindowAxis::input)),
          taps_(axes_product(sizes.axes, &WindowAxis::kernel)) {}

    void run(const ConvolutionArgs& args, Team& team) const override {
        const WindowAxis& z = sizes_.axes[0];
        const WindowAxis& y = sizes_.axes[1];
        const std::int64_t planes = sizes_.batch * sizes_.groups * sizes_.filters;
        const std::int64_t lines = planes * z.output * y.output;
        const std::int64_t work = sizes_.channels * taps_ * sizes_.axes[2].output;
        share(team, lines, kPlainConvolutionGrain / work + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t line = begin; line < end; ++line) run_line(args, line);
                  const std::int64_t columns = sizes_.axes[2].output;
                  if (args.done != nullptr) (*args.done)({begin * columns, end * columns});
              });
    }

private:
    // A place among output lines [N * G, O, z, y].
    struct Place {
        std::int64_t image;   // of the batch times groups
        std::int64_t filter;  // of all groups
        std::int64_t z;
        std::int64_t y;
    };

    void run_line(const ConvolutionArgs& args, std::int64_t line) const {
        const std::int64_t y = sizes_.axes[1].output, z = sizes_.axes[0].output;
        const std::int64_t filters = sizes_.groups * sizes_.filters;
        const Place place{line / (y * z * sizes_.filters), line / (y * z) % filters, line / y % z,
                          line % y};
        T* out = static_cast<T*>(args.out) + line * sizes_.axes[2].output;
        std::fill_n(out, sizes_.axes[2].output, T{0});
        const T* data = static_cast<const T*>(args.data) + place.image * sizes_.channels * channel_;
        const T* filter =
            static_cast<const T*>(args.filters) + place.filter * sizes_.channels * taps_;
        for (std::int64_t c = 0; c < sizes_.channels; ++c, data += channel_, filter += taps_) {
            add_channel(data, filter, place, out);
        }
    }

    void add_channel(const T* data, const T* filter, const Place& place, T* out) const {
        const WindowAxis &az = sizes_.axes[0], &ay = sizes_.axes[1];
        for (std::int64_t kz = 0; kz < az.kernel; ++kz) {
            const std::int64_t z = place.z * az.stride + kz * az.dilation - az.pad_begin;
            for (std::int64_t ky = 0; ky < ay.kernel; ++ky, filter += sizes_.axes[2].kernel) {
                const std::int64_t y = place.y * ay.stride + ky * ay.dilation - ay.pad_begin;
                if (z < 0 || z >= az.input || y < 0 || y >= ay.input) continue;
                add_line(data + (z * ay.input + y) * sizes_.axes[2].input, filter, out);
            }
        }
    }

    void add_line(const T* data, const T* filter, T* out) const {
        const WindowAxis& axis = sizes_.axes[2];
        for (std::int64_t k = 0; k < axis.kernel; ++k) {
            const std::int64_t shift = k * axis.dilation - axis.pad_begin;
            for (std::int64_t i = 0; i < axis.output; ++i) {
                const std::int64_t x = i * axis.stride + shift;
                if (x < 0 || x >= axis.input) continue;
                out[i] = sum_of(out[i], product_of(data[x], filter[k]));
            }
        }
    }

    ConvolutionSizes sizes_;
    std::int64_t channel_;  // elements of one channel of the data
    std::int64_t taps_;     // and of a filter
};

}  // namespace

std::unique_ptr<Convolution> make_plain_convolution(ElementType type,
                                                    const ConvolutionSizes& sizes) {
    if (type == ElementType::f64) return std::make_unique<PlainConvolution<double>>(sizes);
    if (type == ElementType::f32) return std::make_unique<PlainConvolution<float>>(sizes);
    return visit_integer(type, [&](auto tag) -> std::unique_ptr<Convolution> {
        return std::make_unique<PlainConvolution<tag_type<decltype(tag)>>>(sizes);
    });
}

}  // namespace rondo::cpu
