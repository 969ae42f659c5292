// Ops that bring values into a graph, and Result, which ends it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/source/range_numbers.hpp"
#include "rondo/element_type.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ops {

/// Output: a tensor of `element_type` whose shape lies within `shape`.
class Parameter final : public Op<Parameter> {
public:
    static constexpr OpType kType{"Parameter", 1};

    Parameter() = default;
    Parameter(ElementType type, PartialShape shape) : type_(type), shape_(std::move(shape)) {}

    const PartialShape& shape() const { return shape_; }
    /// Takes effect with the next validate().
    void set_shape(PartialShape shape) { shape_ = std::move(shape); }
    ElementType element_type() const { return type_; }
    /// Takes effect with the next validate().
    void set_element_type(ElementType type) { type_ = type; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("shape", self.shape_);
        visitor.on("element_type", self.type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType type_ = ElementType::dynamic;
    PartialShape shape_;
};

/// Input and output: the same tensor; the output exists so that the graph knows its type and shape.
class Result final : public Op<Result> {
public:
    static constexpr OpType kType{"Result", 1};

    Result() = default;
    explicit Result(const Output& value) : Op({value}) {}

    OpTraits traits() const override { return {.takes_narrow_types = true}; }
    void infer(InferContext& context) const override;
};

/// True if a Result reads the value.
bool feeds_result(const Output& value);

/// Output: the tensor. Copies of the node share its memory, which never changes.
class Constant final : public Op<Constant> {
public:
    static constexpr OpType kType{"Const", 1};

    Constant() = default;
    explicit Constant(Tensor value) : value_(std::move(value)) {}

    const Tensor& value() const { return value_; }
    void set_value(Tensor value) { value_ = std::move(value); }
    Tensor known_value(std::size_t) const override { return is_released() ? Tensor() : value_; }

    /// Gives the elements up, for a device that has them in another form: the value has a type and
    /// a shape from now on, and a null pointer.
    void release();
    bool is_released() const { return rondo::is_released(value_); }

    /// element_type and shape, for printing; the IR adds the offset in the weights file.
    static void visit_attributes(auto& self, auto& visitor) {
        ElementType type = self.value_ ? self.value_.element_type() : ElementType::dynamic;
        PartialShape shape = self.value_ ? PartialShape(self.value_.shape()) : PartialShape();
        visitor.on("element_type", type);
        visitor.on("shape", shape);
    }
    void infer(InferContext& context) const override;

private:
    Tensor value_;
};

/// The bytes of all constants of the graph and its bodies; memory that two share counts twice.
std::size_t constant_bytes(const Graph& graph);

/// An i64 constant of rank 1, named `name`.
std::shared_ptr<Constant> make_i64(const std::vector<std::int64_t>& values,
                                   const std::string& name);
/// An i64 constant of rank 0.
std::shared_ptr<Constant> make_i64_scalar(std::int64_t value, const std::string& name);

/// Input: data. Output [rank]: its extents, of `output_type` (i64 or i32).
/// If data's shape is fully known the output is a known value, so that inference sees through.
class ShapeOf final : public Op<ShapeOf> {
public:
    static constexpr OpType kType{"ShapeOf", 3};
    /// The older form, always i64: reading one makes this op.
    static constexpr OpType kOpset1{"ShapeOf", 1};

    ShapeOf() = default;
    explicit ShapeOf(const Output& data, ElementType output_type = ElementType::i64)
        : Op({data}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    Tensor known_value(std::size_t output) const override;
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    OpTraits traits() const override {
        return {.reads_shapes_only = true, .takes_narrow_types = true};
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::i64;
};

/// The extents as a vector of `type` (i64 or i32), which must hold them.
Tensor shape_tensor(const Shape& shape, ElementType type);

/// Inputs: start, stop, step: one number each, of any types but boolean. Output: the vector start,
/// start + step, start + 2 * step, ... up to stop, without it, as `output_type`: floating numbers
/// are computed in double and rounded once, integers wrap. An integer output needs integer inputs.
class Range final : public Op<Range> {
public:
    static constexpr OpType kType{"Range", 4};

    Range() = default;
    Range(const Output& start, const Output& stop, const Output& step, ElementType output_type)
        : Op({start, stop, step}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::f32;
};

/// The element types of start, stop and step.
struct RangeTypes {
    ElementType start;
    ElementType stop;
    ElementType step;
};

/// The numbers at the three places of memory.
RangeNumbers range_numbers(const RangeTypes& types, const void* start, const void* stop,
                           const void* step);

/// Two numbers select one sequence of all.
struct RandomSeed {
    std::uint64_t global = 0;
    std::uint64_t op = 0;
};

/// Another seed in each call: of the system's source of random bits. Keeps no state, so that forks
/// and threads draw apart.
RandomSeed fresh_seed();

/// Group `index` of a sequence: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3") with the key seed.global and the counter index + 2^64 seed.op.
std::array<std::uint32_t, 4> random_words(const RandomSeed& seed, std::uint64_t index);

/// True for the types that write_uniform() writes: f64, f32, f16, bf16, i64 and i32.
bool can_be_random(ElementType type);

/// Where the numbers of a type lie: `least` and `bound` point to one element each.
struct RandomRange {
    ElementType type;
    const void* least;
    const void* bound;
};

/// Writes the elements [begin, end) of a tensor at `to`: a word each, or two of 64-bit types, the
/// first of which is the upper half of f64 and the lower one of i64, as OpenVINO has it. Floating:
/// the word's lower 23 bits (52 of f64) as a number u in [0, 1), u (bound - least) + least, of 16
/// bits computed in f32. Integers: word mod (bound - least) + least; least must be below bound.
void write_uniform(const RandomRange& range, const RandomSeed& seed, void* to, std::int64_t begin,
                   std::int64_t end);

/// Whether bound is above least; always true for floating types.
bool is_range(const RandomRange& range);

/// Inputs: shape, integers; the least number and the bound above all, one element of `output_type`
/// each. Output: numbers between them, of that shape: those of write_uniform(). If one of the
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
