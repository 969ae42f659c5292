// The greatest or least elements along an axis, and their places.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"

namespace rondo::ops {

enum class TopKMode : std::uint8_t { max, min };
inline constexpr std::pair<std::string_view, TopKMode> kTopKModes[] = {
    {"max", TopKMode::max},
    {"min", TopKMode::min},
};

/// By what the chosen elements are sorted. `none` leaves the order open: it is that of `value`.
enum class TopKSort : std::uint8_t { none, index, value };
inline constexpr std::pair<std::string_view, TopKSort> kTopKSorts[] = {
    {"none", TopKSort::none},
    {"index", TopKSort::index},
    {"value", TopKSort::value},
};

struct TopKAttributes {
    std::int64_t axis = -1;
    TopKMode mode = TopKMode::max;
    TopKSort sort = TopKSort::value;
    ElementType index_type = ElementType::i32;
    bool stable = false;
};

/// Inputs: data of a numeric type; k, one integer. Outputs: the k greatest or least elements along
/// `axis`, and their places there; the extent of the axis becomes k. Among equal elements the first
/// ones count as better, whatever `stable` says; NaN counts as greater than all numbers.
class TopK final : public Op<TopK> {
public:
    static constexpr OpType kType{"TopK", 11};
    /// Older forms, which say less: reading one makes this op.
    static constexpr OpType kOpset1{"TopK", 1};
    static constexpr OpType kOpset3{"TopK", 3};

    TopK() = default;
    TopK(const Output& data, const Output& k, const TopKAttributes& attributes)
        : Op({data, k}), attributes_(attributes) {}

    const TopKAttributes& attributes() const { return attributes_; }

    OpTraits traits() const override { return {.data_inputs = 1}; }
    const std::int64_t* axis_attribute() const override { return &attributes_.axis; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("axis", self.attributes_.axis);
        visitor.on_enum("mode", self.attributes_.mode, kTopKModes);
        visitor.on_enum("sort", self.attributes_.sort, kTopKSorts);
        visitor.on("index_element_type", self.attributes_.index_type);
        visitor.on("stable", self.attributes_.stable);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    TopKAttributes attributes_;
};

}  // namespace rondo::ops
