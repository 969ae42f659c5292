// Random numbers of equal probability, by a counter: each depends on its place and the seed alone,
// whatever computes it.
#include "core/ops/source/source_ops.hpp"

#include <bit>
#include <random>
#include <string>
#include <type_traits>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ops {
namespace {

constexpr std::uint64_t kFactors[] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t kSteps[] = {0x9E3779B9, 0xBB67AE85};
constexpr int kRounds = 10;

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// [0, 1): the bits below the exponent of a number in [1, 2).
float fraction(std::uint32_t word) {
    return std::bit_cast<float>((word & 0x7fffffu) | 0x3f800000u) - 1;
}
double fraction(std::uint64_t word) {
    return std::bit_cast<double>((word & 0xfffffffffffffu) | 0x3ff0000000000000u) - 1;
}

template <typename T>
using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
T number_between(T least, T bound, Word<T> word) {
    if constexpr (std::is_integral_v<T>) {
        const auto range = static_cast<Word<T>>(bound) - static_cast<Word<T>>(least);
        return static_cast<T>(word % range + static_cast<Word<T>>(least));
    } else if constexpr (std::is_floating_point_v<T>) {
        return fraction(word) * (bound - least) + least;
    } else {
        const auto from = static_cast<float>(least);
        return T(fraction(word) * (static_cast<float>(bound) - from) + from);
    }
}

template <typename T>
void write(const RandomSeed& seed, T least, T bound, T* to, std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t kNumbers = sizeof(T) == 8 ? 2 : 4;  // in a group
    std::array<std::uint32_t, 4> words{};
    for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t place = i % kNumbers;
        if (i == begin || place == 0) {
            words = random_words(seed, static_cast<std::uint64_t>(i / kNumbers));
        }
        if constexpr (sizeof(T) == 8) {
            const auto first = static_cast<std::size_t>(2 * place);
            const std::uint64_t a = words[first], b = words[first + 1];
            to[i] = number_between(least, bound,
                                   std::is_floating_point_v<T> ? a << 32 | b : b << 32 | a);
        } else {
            to[i] = number_between(least, bound, words[static_cast<std::size_t>(place)]);
        }
    }
}

// f(tag) for the types that can be random.
template <typename F>
void visit_random(ElementType type, F f) {
    switch (type) {
        case ElementType::f64: return f(TypeTag<double>());
        case ElementType::f32: return f(TypeTag<float>());
        case ElementType::f16: return f(TypeTag<float16>());
        case ElementType::bf16: return f(TypeTag<bfloat16>());
        case ElementType::i64: return f(TypeTag<std::int64_t>());
        case ElementType::i32: return f(TypeTag<std::int32_t>());
        default: internal_error("random numbers of a type that has none");
    }
}

}  // namespace

RandomSeed fresh_seed() {
    std::random_device bits;
    const auto word = [&] {
        const std::uint64_t upper = bits();
        return upper << 32 | bits();
    };
    const std::uint64_t global = word();
    return {global, word()};
}

std::array<std::uint32_t, 4> random_words(const RandomSeed& seed, std::uint64_t index) {
    std::array<std::uint32_t, 4> words{low(index), high(index), low(seed.op), high(seed.op)};
    std::uint32_t keys[] = {low(seed.global), high(seed.global)};
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t a = kFactors[0] * words[0], b = kFactors[1] * words[2];
        words = {high(b) ^ words[1] ^ keys[0], low(b), high(a) ^ words[3] ^ keys[1], low(a)};
        keys[0] += kSteps[0];
        keys[1] += kSteps[1];
    }
    return words;
}

bool can_be_random(ElementType type) {
    return is_floating(type) || type == ElementType::i64 || type == ElementType::i32;
}

void write_uniform(const RandomRange& range, const RandomSeed& seed, void* to, std::int64_t begin,
                   std::int64_t end) {
    visit_random(range.type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        write(seed, *static_cast<const T*>(range.least), *static_cast<const T*>(range.bound),
              static_cast<T*>(to), begin, end);
    });
}

bool is_range(const RandomRange& range) {
    bool result = true;
    visit_random(range.type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_integral_v<T>) {
            result = *static_cast<const T*>(range.least) < *static_cast<const T*>(range.bound);
        }
    });
    return result;
}

namespace {

PartialShape wanted_shape(const InferContext& context) {
    const auto length = vector_length(context, 0, "shape");
    const auto extents = context.ints(0);
    if (!extents) return length ? PartialShape::of_rank(*length) : PartialShape();
    std::vector<Dimension> shape;
    for (const std::int64_t extent : *extents) {
        context.check(extent >= 0, "shape has " + std::to_string(extent) + "; expected extents");
        shape.emplace_back(extent);
    }
    return {std::move(shape)};
}

void check_bound(const InferContext& context, std::size_t input, ElementType output_type,
                 const std::string& what) {
    const ElementType type = context.type(input);
    context.check(type == output_type || type == ElementType::dynamic,
                  what + " is " + std::string(to_string(type)) + "; expected the output's type " +
                      std::string(to_string(output_type)));
    const PartialShape& shape = context.shape(input);
    const bool is_one =
        !shape.has_rank() || shape.rank() == 0 || (shape.rank() == 1 && shape[0].contains(1));
    context.check(is_one, what + " has shape " + to_string(shape) + "; expected one element");
}

}  // namespace

RandomSeed RandomUniform::seed() const {
    if (global_seed_ == 0 && op_seed_ == 0) return fresh_seed();
    return {static_cast<std::uint64_t>(global_seed_), static_cast<std::uint64_t>(op_seed_)};
}

void RandomUniform::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    if (!can_be_random(output_type_)) {
        context.refuse("output_type is " + std::string(to_string(output_type_)) +
                       "; expected a floating type, i64 or i32");
    }
    check_bound(context, 1, output_type_, "the least number");
    check_bound(context, 2, output_type_, "the bound");
    context.set_output(0, output_type_, wanted_shape(context));
}

}  // namespace rondo::ops
