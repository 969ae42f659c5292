// The elements, or slices along an axis, that differ.
#pragma once

#include "core/graph/node.hpp"
#include "core/ops/indexing/unique_slices.hpp"

namespace rondo::ops {

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
