// Turns convolutions of 8-bit integers into products of bytes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/window/convolutions.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr double kExactInF32 = 1 << 24;     // sums of integers below this are
constexpr double kLargestDifference = 255;  // of two bytes
// Fewer of either make products of f32 as fast.
constexpr std::size_t kFewestChannels = 8, kFewestFilters = 16;
// All windows are written to memory: for more places, or more bytes, that costs more than it saves.
constexpr std::size_t kMostPlaces = 32;
constexpr double kMostWindowBytes = 32 * 1024 * 1024;

bool is_byte(ElementType type) { return type == ElementType::u8 || type == ElementType::i8; }

// Bytes that a Convert makes f32.
Output bytes_behind(const Output& wide) {
    const auto convert = as<ops::Convert>(wide);
    if (!convert || wide.element_type() != ElementType::f32) return {};
    return is_byte(convert->input(0).element_type()) ? convert->input(0) : Output();
}

// Data [N,C,..] less a zero point, which may be empty, and filters [O,C,..] of integers.
struct Integers {
    Output data;
    Output zero_point;
    Tensor filters;  // i8 or u8
    int filters_zero = 0;
};

Output byte(passes::Rewriter& rewriter, const std::string& name, ElementType type, int value) {
    return type == ElementType::i8 ? rewriter.make_scalar(name, static_cast<std::int8_t>(value))
                                   : rewriter.make_scalar(name, static_cast<std::uint8_t>(value));
}

// The zero point as a number of the data's type. Returns nothing if it is no such number.
Output zero_point_of(const Output& zero, ElementType type, passes::Rewriter& rewriter) {
    const PartialShape& shape = zero.shape();
    if (!shape.is_static() || shape.rank() > 1 || element_count(shape.to_shape()) != 1) return {};
    Output number = bytes_behind(zero);
    if (number && number.element_type() == type) {
        if (shape.rank() == 0) return number;
        const std::string name = number.node().name() + "/number";
        return rewriter.make<ops::Reshape>(name, number, rewriter.make_ints(name, {}));
    }
    const Tensor known = known_value(zero);
    if (!known || known.element_type() != ElementType::f32) return {};
    const float value = *known.contiguous().data<float>();
    const bool is_signed = type == ElementType::i8;
    if (std::trunc(value) != value || value < (is_signed ? -128 : 0) ||
        value > (is_signed ? 127 : 255)) {
        return {};
    }
    return byte(rewriter, zero.node().name() + "/byte", type, static_cast<int>(value));
}

// Filters whose sums are exact in f32, as bytes that are signed or have a zero point.
bool take_filters(const Tensor& known, Integers& to) {
    if (!known || known.element_type() != ElementType::f32 || known.size() == 0) return false;
    const Tensor filters = known.contiguous();
    const float* values = filters.data<float>();
    const auto [first, last] = std::minmax_element(values, values + filters.size());
    const float least = std::min(*first, 0.0F), most = std::max(*last, 0.0F);
    if (!(most - least <= kLargestDifference)) return false;
    const std::size_t size = filters.size() / filters.shape()[0];
    for (std::size_t i = 0; i < filters.size(); i += size) {
        double sum = 0;
        for (std::size_t k = i; k < i + size; ++k) {
            if (std::trunc(values[k]) != values[k]) return false;
            sum += std::abs(values[k]);
        }
        if (sum * kLargestDifference >= kExactInF32) return false;
    }
    const bool is_signed = least >= -128 && most <= 127;
    to.filters_zero = is_signed ? 0 : static_cast<int>(-least);
    to.filters = Tensor(is_signed ? ElementType::i8 : ElementType::u8, filters.shape());
    std::transform(values, values + filters.size(), static_cast<std::uint8_t*>(to.filters.data()),
                   [&](float value) {
                       return static_cast<std::uint8_t>(static_cast<int>(value) + to.filters_zero);
                   });
    return true;
}

std::optional<Integers> integers_of(const ops::Convolution& op, passes::Rewriter& rewriter) {
    if (op.output_type(0) != ElementType::f32) return {};
    Integers integers;
    const Output& data = op.input(0);
    integers.data = bytes_behind(data);
    const bool has_zero = !integers.data && is(data.node(), ops::BinaryFunction::subtract);
    if (has_zero) integers.data = bytes_behind(data.node().input(0));
    if (!integers.data || !take_filters(known_value(op.input(1)), integers)) return {};
    const PartialShape& shape = integers.data.shape();
    if (!shape.has_rank() || shape.rank() != integers.filters.shape().size()) return {};
    if (!has_zero) return integers;
    const ElementType type = integers.data.element_type();
    integers.zero_point = zero_point_of(data.node().input(1), type, rewriter);
    if (!integers.zero_point) return {};
    return integers;
}

bool pays(const ops::Convolution& op, const Integers& integers) {
    const Shape& shape = integers.filters.shape();
    const std::size_t windows = integers.filters.size() / shape[0];
    double bytes = static_cast<double>(windows);  // as far as extents are known
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis != 1) bytes *= static_cast<double>(op.output_shape(0)[axis].min());
    }
    return shape[0] >= kFewestFilters && shape[1] >= kFewestChannels &&
           windows / shape[1] <= kMostPlaces && bytes <= kMostWindowBytes;
}

// Rows of what each filter meets, [N,..,K], times the filters, [K,O].
class ByteProduct {
public:
    ByteProduct(const ops::Convolution& op, const Integers& integers, passes::Rewriter& rewriter)
        : op_(op),
          integers_(integers),
          by_(rewriter),
          name_(op.name() + "/bytes"),
          spatial_(integers.filters.shape().size() - 2) {}

    // [N,O,..] of f32.
    Output result() {
        const Output product = by_.make<ops::MatMulInteger>(
            name_, windows(), filters(), zero_point(),
            byte(by_, name_, integers_.filters.element_type(), integers_.filters_zero));
        return transposed(by_.make<ops::Convert>(name_, product, ElementType::f32), true);
    }

private:
    Output zero_point() {
        if (integers_.zero_point) return integers_.zero_point;
        return byte(by_, name_, integers_.data.element_type(), 0);
    }

    // One number for each spatial axis, where an empty list means that they are all `usual`.
    Ints all(const Ints& list, std::int64_t usual) const {
        return list.empty() ? Ints(spatial_, usual) : list;
    }

    // Channels from axis 1 to the last one, or back.
    Output transposed(const Output& x, bool back) {
        Ints order(spatial_ + 2);
        std::iota(order.begin(), order.end(), 0);
        back ? std::rotate(order.begin() + 1, order.end() - 1, order.end())
             : std::rotate(order.begin() + 1, order.begin() + 2, order.end());
        return by_.make<ops::Transpose>(name_, x, by_.make_ints(name_, order));
    }

    // [O,C,..] -> [..,C,O] as [K,O].
    Output filters() {
        const Tensor& from = integers_.filters;
        const std::size_t count = from.shape()[0], channels = from.shape()[1];
        const std::size_t places = from.size() / (count * channels);
        Tensor to(from.element_type(), {places * channels, count});
        const auto* bytes = static_cast<const std::uint8_t*>(from.data());
        auto* out = static_cast<std::uint8_t*>(to.data());
        for (std::size_t place = 0; place < places; ++place) {
            for (std::size_t channel = 0; channel < channels; ++channel) {
                for (std::size_t filter = 0; filter < count; ++filter) {
                    *out++ = bytes[(filter * channels + channel) * places + place];
                }
            }
        }
        return by_.make_constant(name_, std::move(to));
    }

    Output padded(const Output& x) {
        const ops::ConvolutionAttributes& own = op_.attributes();
        Ints begin(spatial_ + 2, 0), end(spatial_ + 2, 0);
        if (own.auto_pad == ops::AutoPad::explicit_pads) {
            std::ranges::copy(own.pads_begin, begin.begin() + 1);
            std::ranges::copy(own.pads_end, end.begin() + 1);
        }
        const auto is_zero = [](std::int64_t pad) { return pad == 0; };
        if (std::ranges::all_of(begin, is_zero) && std::ranges::all_of(end, is_zero)) return x;
        return by_.make<ops::Pad>(name_,
                                  std::vector<Output>{x, by_.make_ints(name_, begin),
                                                      by_.make_ints(name_, end), zero_point()},
                                  ops::PadMode::constant);
    }

    Output windows() {
        const Output x = padded(transposed(integers_.data, false));
        const Shape& shape = integers_.filters.shape();
        const Ints extents(shape.begin() + 2, shape.end());
        Ints axes(spatial_);
        std::iota(axes.begin(), axes.end(), 1);
        step_ = by_.make_ints(name_, all(op_.attributes().strides, 1));
        axes_ = by_.make_ints(name_, axes);
        std::vector<Output> parts;
        for (Ints at(spatial_, 0); at[0] < extents[0];) {
            parts.push_back(part(x, extents, at));
            for (std::size_t axis = spatial_; axis-- > 0;) {
                if (++at[axis] < extents[axis] || axis == 0) break;
                at[axis] = 0;
            }
        }
        if (parts.size() == 1) return parts[0];
        return by_.make<ops::Concat>(name_, parts, static_cast<std::int64_t>(spatial_ + 1));
    }

    // What the filters' numbers at one place meet.
    Output part(const Output& x, const Ints& extents, const Ints& at) {
        const Ints strides = all(op_.attributes().strides, 1);
        const Ints dilations = all(op_.attributes().dilations, 1);
        Ints start, stop;
        bool is_all = true;
        for (std::size_t axis = 0; axis < spatial_; ++axis) {
            const std::int64_t behind = (extents[axis] - 1 - at[axis]) * dilations[axis];
            start.push_back(at[axis] * dilations[axis]);
            stop.push_back(behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind);
            is_all = is_all && start.back() == 0 && behind == 0 && strides[axis] == 1;
        }
        if (is_all) return x;
        return by_.make<ops::Slice>(name_, x, by_.make_ints(name_, start),
                                    by_.make_ints(name_, stop), step_, axes_);
    }

    const ops::Convolution& op_;
    const Integers& integers_;
    passes::Rewriter& by_;
    const std::string name_;
    const std::size_t spatial_;
    Output step_, axes_;  // of the slices
};

// The Converts to i32 that read it, whose results are f32 again: exact sums need neither.
std::vector<Output> round_trips(const ops::Convolution& op) {
    std::vector<Output> trips;
    for (const Consumer& reader : op.consumers(0)) {
        const auto* there = as_op<ops::Convert>(*reader.node);
        if (there == nullptr || there->destination_type() != ElementType::i32) continue;
        for (const Consumer& next : there->consumers(0)) {
            const auto* back = as_op<ops::Convert>(*next.node);
            if (back != nullptr && back->destination_type() == ElementType::f32) {
                trips.push_back(next.node->output(0));
            }
        }
    }
    return trips;
}

bool has_byte_products() { return usable_isa() == Isa::avx512 && cpu_features().vnni; }

}  // namespace

bool convolve_bytes(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<ops::Convolution>([&](const std::shared_ptr<ops::Convolution>& op) {
        const auto integers = integers_of(*op, rewriter);
        if (!integers) return;
        for (const Output& trip : round_trips(*op)) {
            if (rewriter.can_replace(trip, op->output(0))) rewriter.replace(trip, op->output(0));
        }
        if (ops::is_same(op->attributes().auto_pad) || !has_byte_products() ||
            !pays(*op, *integers)) {
            return;
        }
        ByteProduct product(*op, *integers, rewriter);
        rewriter.replace(op->output(0), product.result());
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
