// Which slices of a tensor differ: what the op Unique finds, for its shapes and for its kernels.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ops {
namespace {

using Key = std::uint64_t;

// Unsigned numbers in the order of the elements.
template <typename T>
Key key_of(T element) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<Key>(element) ^ (std::is_signed_v<T> ? Key{1} << 63 : Key{0});
    } else {
        double number;
        if constexpr (std::is_floating_point_v<T>) {
            number = static_cast<double>(element);
        } else {
            number = static_cast<double>(static_cast<float>(element));
        }
        if (std::isnan(number)) return std::numeric_limits<Key>::max();
        const Key bits = std::bit_cast<Key>(number == 0 ? 0.0 : number);
        constexpr Key kSign = Key{1} << 63;
        return (bits & kSign) != 0 ? ~bits : bits | kSign;
    }
}

// Slice by slice.
std::vector<Key> keys_of(const Tensor& data, const SliceSizes& sizes) {
    std::vector<Key> keys(data.size());
    const std::size_t width = sizes.outer * sizes.inner;
    const ElementType type = data.element_type();
    visit_type(type == ElementType::boolean ? ElementType::u8 : type, [&](auto tag) {
        const auto* from = static_cast<const tag_type<decltype(tag)>*>(data.data());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::size_t outer = i / (sizes.count * sizes.inner);
            const std::size_t slice = i / sizes.inner % sizes.count;
            const Key key = key_of(from[i]);
            keys[slice * width + outer * sizes.inner + i % sizes.inner] =
                type == ElementType::boolean ? static_cast<Key>(key != key_of(std::uint8_t{0}))
                                             : key;
        }
    });
    return keys;
}

// Numbers the groups of equal slices in ascending order.
UniqueSlices grouped(const std::vector<std::size_t>& order, const std::vector<Key>& keys,
                     std::size_t width) {
    UniqueSlices found;
    found.inverse.resize(order.size());
    const auto equals = [&](std::size_t a, std::size_t b) {
        return width == 0 ||
               std::equal(&keys[a * width], &keys[a * width] + width, &keys[b * width]);
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || !equals(order[i - 1], order[i])) {
            found.first.push_back(static_cast<std::int64_t>(order[i]));
            found.counts.push_back(0);
        }
        ++found.counts.back();
        found.inverse[order[i]] = static_cast<std::int64_t>(found.first.size()) - 1;
    }
    return found;
}

// The groups in the order of their first places.
UniqueSlices by_place(const UniqueSlices& sorted) {
    std::vector<std::size_t> order(sorted.first.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sorted.first[a] < sorted.first[b]; });
    UniqueSlices found;
    std::vector<std::int64_t> number(order.size());
    for (const std::size_t group : order) {
        number[group] = static_cast<std::int64_t>(found.first.size());
        found.first.push_back(sorted.first[group]);
        found.counts.push_back(sorted.counts[group]);
    }
    for (const std::int64_t group : sorted.inverse) {
        found.inverse.push_back(number[static_cast<std::size_t>(group)]);
    }
    return found;
}

}  // namespace

SliceSizes slice_sizes(const Shape& shape, std::optional<std::size_t> axis) {
    SliceSizes sizes;
    if (!axis) {
        sizes.count = element_count(shape);
        return sizes;
    }
    for (std::size_t i = 0; i < *axis; ++i) sizes.outer *= shape[i];
    for (std::size_t i = *axis + 1; i < shape.size(); ++i) sizes.inner *= shape[i];
    sizes.count = shape[*axis];
    return sizes;
}

UniqueSlices find_unique(const Tensor& data, const SliceSizes& sizes, bool sorted) {
    const std::vector<Key> keys = keys_of(data, sizes);
    const std::size_t width = sizes.outer * sizes.inner;
    std::vector<std::size_t> order(sizes.count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (width == 1) {
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
        });
    } else if (width > 0) {
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const Key* left = &keys[a * width];
            const Key* right = &keys[b * width];
            return std::lexicographical_compare(left, left + width, right, right + width);
        });
    }
    const UniqueSlices found = grouped(order, keys, width);
    return sorted ? found : by_place(found);
}

void copy_slices(const Tensor& data, const SliceSizes& sizes,
                 const std::vector<std::int64_t>& first, void* to) {
    const std::size_t bytes = sizes.inner * size_of(data.element_type());
    if (bytes == 0 || sizes.outer == 0) return;
    const auto* from = static_cast<const std::byte*>(data.data());
    auto* next = static_cast<std::byte*>(to);
    for (std::size_t outer = 0; outer < sizes.outer; ++outer) {
        for (const std::int64_t slice : first) {
            std::memcpy(next,
                        from + (outer * sizes.count + static_cast<std::size_t>(slice)) * bytes,
                        bytes);
            next += bytes;
        }
    }
}

void write_integers(const std::vector<std::int64_t>& values, ElementType type, void* to) {
    if (type == ElementType::i64) {
        std::copy(values.begin(), values.end(), static_cast<std::int64_t*>(to));
        return;
    }
    std::transform(values.begin(), values.end(), static_cast<std::int32_t*>(to),
                   [](std::int64_t value) { return static_cast<std::int32_t>(value); });
}

namespace {

void check_type_of(const InferContext& context, ElementType type, const char* attribute) {
    context.check(
        type == ElementType::i64 || type == ElementType::i32,
        std::string(attribute) + " is " + std::string(to_string(type)) + "; expected i64 or i32");
}

// As many as there are slices at most.
Dimension some_of(const Dimension& slices) {
    return {std::min<std::int64_t>(slices.min(), 1), slices.max()};
}

}  // namespace

std::optional<std::size_t> unique_axis(const InferContext& context, std::size_t rank) {
    if (context.input_count() < 2) return std::nullopt;
    return normalize_axis(context, *single_int(context, 1, "axis"), rank);
}

void Unique::infer(InferContext& context) const {
    context.check_input_count(1, 2);
    check_type_of(context, attributes_.index_type, "index_element_type");
    check_type_of(context, attributes_.count_type, "count_element_type");
    const bool has_axis = context.input_count() == 2;
    if (has_axis) vector_length(context, 1, "axis");
    const bool axis_is_known = !has_axis || single_int(context, 1, "axis").has_value();
    const PartialShape& data = context.shape(0);
    PartialShape unique = has_axis ? PartialShape() : PartialShape::of_rank(1);
    Dimension slices, kept;
    if (data.has_rank() && axis_is_known) {
        const auto axis = unique_axis(context, data.rank());
        slices = axis ? data[*axis] : multiply_extents(context, data.dimensions());
        kept = some_of(slices);
        // Asked of a copy: the op runs without knowing the elements before.
        const InferContext copy = context;
        if (const Tensor& value = copy.value(0)) {
            const SliceSizes sizes = slice_sizes(value.shape(), axis);
            const auto found = find_unique(value.contiguous(), sizes, true);
            kept = static_cast<std::int64_t>(found.first.size());
        }
        if (axis) unique = data;
        unique[axis.value_or(0)] = kept;
    } else if (data.has_rank()) {
        unique = PartialShape::of_rank(data.rank());
    }
    context.set_output(0, context.type(0), std::move(unique));
    context.set_output(1, attributes_.index_type, PartialShape{kept});
    context.set_output(2, attributes_.index_type, PartialShape{slices});
    context.set_output(3, attributes_.count_type, PartialShape{kept});
}

}  // namespace rondo::ops
