// Which slices of a tensor differ: what the op Unique finds, for its shapes and for its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ops {

/// The slices of [outer, count, inner] along the middle axis; without an axis each element is one.
struct SliceSizes {
    std::size_t outer = 1;
    std::size_t count = 1;
    std::size_t inner = 1;
};
SliceSizes slice_sizes(const Shape& shape, std::optional<std::size_t> axis);

struct UniqueSlices {
    std::vector<std::int64_t> first;    ///< for each that differs: where it stands first
    std::vector<std::int64_t> inverse;  ///< for each slice: the number of the one that it equals
    std::vector<std::int64_t> counts;   ///< for each that differs: how many slices equal it
};

/// `data` is contiguous. In ascending order of their elements, or of their first places. -0 equals
/// 0, NaN equals NaN and is greater than all numbers, every boolean byte but 0 is true.
UniqueSlices find_unique(const Tensor& data, const SliceSizes& sizes, bool sorted);

/// Copies the slices `first` of `data` to `to`.
void copy_slices(const Tensor& data, const SliceSizes& sizes,
                 const std::vector<std::int64_t>& first, void* to);

/// Writes integers as `type`, i64 or i32.
void write_integers(const std::vector<std::int64_t>& values, ElementType type, void* to);

struct UniqueAttributes {
    bool sorted = true;
    ElementType index_type = ElementType::i64;  ///< i64 or i32, as the next one
    ElementType count_type = ElementType::i64;
};

/// Inputs: data of any type; optionally axis, one integer. Outputs: the slices along the axis that
/// differ, or a vector of elements without an axis; where each of them stands first; for each slice
/// of the data the number of the output's slice that it equals; how many there are of each. The
/// order is that of find_unique().
class Unique final : public Op<Unique> {
public:
    static constexpr OpType kType{"Unique", 10};

    Unique() = default;
    Unique(std::vector<Output> inputs, const UniqueAttributes& attributes)
        : Op(std::move(inputs)), attributes_(attributes) {}

    const UniqueAttributes& attributes() const { return attributes_; }

    OpTraits traits() const override { return {.data_inputs = 1}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("sorted", self.attributes_.sorted);
        visitor.on("index_element_type", self.attributes_.index_type);
        visitor.on("count_element_type", self.attributes_.count_type);
    }
    void infer(InferContext& context) const override;

private:
    UniqueAttributes attributes_;
};

/// The axis that input 1 names for data of that rank, or nothing without one. Its value must be
/// known; throws through `context` where it is out of range.
std::optional<std::size_t> unique_axis(const InferContext& context, std::size_t rank);

}  // namespace rondo::ops
