// Random numbers of equal probability.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"
#include "core/ops/source/random_numbers.hpp"

namespace rondo::ops {

/// Inputs: shape, integers; the least number and the bound above all, one element of `output_type`
/// each. Output: numbers between them, of that shape: those of write_uniform(). Where one of the
/// seeds isn't 0 every run gives the same numbers, on each device and for each number of threads;
/// else every run gives other ones. The op is never folded or shared.
class RandomUniform final : public Op<RandomUniform> {
public:
    static constexpr OpType kType{"RandomUniform", 8};

    RandomUniform() = default;
    RandomUniform(const Output& shape, const Output& least, const Output& bound, ElementType type,
                  const RandomSeed& seed)
        : Op({shape, least, bound}),
          output_type_(type),
          global_seed_(static_cast<std::int64_t>(seed.global)),
          op_seed_(static_cast<std::int64_t>(seed.op)) {}

    /// For one run.
    RandomSeed seed() const;
    /// Whether every run gives the same numbers.
    bool has_seed() const { return global_seed_ != 0 || op_seed_ != 0; }

    OpTraits traits() const override { return {.random = true, .data_inputs = 0}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
        visitor.on("op_seed", self.op_seed_);
        visitor.on("global_seed", self.global_seed_);
        visitor.on_enum("alignment", self.alignment_, kAlignments);
    }
    void infer(InferContext& context) const override;

private:
    // Whose numbers they are: the other alignment has another generator.
    enum class Alignment : std::uint8_t { tensorflow };
    static constexpr std::pair<std::string_view, Alignment> kAlignments[] = {
        {"tensorflow", Alignment::tensorflow}};

    ElementType output_type_ = ElementType::f32;
    std::int64_t global_seed_ = 0;
    std::int64_t op_seed_ = 0;
    Alignment alignment_ = Alignment::tensorflow;
};

}  // namespace rondo::ops
