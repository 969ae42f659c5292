#include "core/support/narrow_type.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/support/errors.hpp"

namespace rondo {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Which codes are no finite numbers: none; those of ones in all bits but the sign (NaN); those
// with the exponent's ones, as in IEEE 754; -0 (NaN).
enum class Special : std::uint8_t { none, all_ones, ieee, minus_zero };

// From the lowest bit: fraction, exponent, sign. An integer has no exponent.
struct Format {
    ElementType type;
    int bits;
    int exponent_bits;
    int bias;
    Special special;
    bool is_signed;

    bool is_integer() const { return exponent_bits == 0; }
    bool is_scale() const { return type == ElementType::f8e8m0; }
    int fraction_bits() const { return bits - 1 - exponent_bits; }
    unsigned sign_code() const { return 1U << (bits - 1); }
    unsigned nan_code() const {
        return special == Special::all_ones ? sign_code() - 1 : sign_code();
    }
    /// The code of the largest finite number.
    unsigned largest() const {
        if (special == Special::all_ones) return sign_code() - 2;
        if (special != Special::ieee) return sign_code() - 1;
        return sign_code() - (1U << fraction_bits()) - 1;
    }
};

constexpr Format kFormats[] = {
    {ElementType::f8e4m3, 8, 4, 7, Special::all_ones, true},
    {ElementType::f8e5m2, 8, 5, 15, Special::ieee, true},
    {ElementType::f8e4m3fnuz, 8, 4, 8, Special::minus_zero, true},
    {ElementType::f8e5m2fnuz, 8, 5, 16, Special::minus_zero, true},
    {ElementType::f8e8m0, 8, 8, 127, Special::all_ones, false},
    {ElementType::f4e2m1, 4, 2, 1, Special::none, true},
    {ElementType::i4, 4, 0, 0, Special::none, true},
    {ElementType::u4, 4, 0, 0, Special::none, false},
    {ElementType::i2, 2, 0, 0, Special::none, true},
    {ElementType::u2, 2, 0, 0, Special::none, false},
};

const Format& format_of(ElementType type) {
    const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                     [&](const Format& format) { return format.type == type; });
    internal_check(found != std::end(kFormats), "a type isn't narrow");
    return *found;
}

unsigned mask_of(const Format& format) { return (1U << format.bits) - 1; }

constexpr unsigned kScaleNan = 255;
constexpr unsigned kLargestScale = 254;

double float_number(const Format& format, unsigned code) {
    const double sign = (code & format.sign_code()) != 0 ? -1 : 1;
    const unsigned magnitude = code & (format.sign_code() - 1);
    if (format.special == Special::minus_zero && code == format.nan_code()) return kNan;
    if (format.special == Special::all_ones && magnitude == format.nan_code()) return kNan;
    if (magnitude > format.largest()) {
        return magnitude == format.largest() + 1 ? sign * kInfinity : kNan;
    }
    const int fraction_bits = format.fraction_bits();
    const unsigned fraction = magnitude & ((1U << fraction_bits) - 1);
    const int exponent = static_cast<int>(magnitude >> fraction_bits);
    const unsigned leading = exponent > 0 ? 1U << fraction_bits : 0;
    return sign *
           std::ldexp(leading + fraction, std::max(exponent, 1) - format.bias - fraction_bits);
}

double number_of(const Format& format, unsigned code) {
    if (format.is_scale()) {
        return code == kScaleNan ? kNan : std::ldexp(1.0, static_cast<int>(code) - format.bias);
    }
    if (!format.is_integer()) return float_number(format, code);
    const bool is_below_zero = format.is_signed && (code & format.sign_code()) != 0;
    return static_cast<int>(code) - (is_below_zero ? static_cast<int>(mask_of(format)) + 1 : 0);
}

NarrowNumbers numbers_of(const Format& format) {
    NarrowNumbers numbers{};
    for (unsigned byte = 0; byte < numbers.size(); ++byte) {
        numbers[byte] = static_cast<float>(number_of(format, byte & mask_of(format)));
    }
    return numbers;
}

unsigned integer_code(double value) {
    constexpr double kBound = 9.2e18;
    return std::abs(value) < kBound ? static_cast<unsigned>(static_cast<std::int64_t>(value)) : 0;
}

unsigned scale_code(const Format& format, double value, NarrowRounding rounding) {
    using Scale = NarrowRounding::Scale;
    if (std::isnan(value)) return kScaleNan;
    int exponent = -format.bias;
    bool fits = value >= std::ldexp(1.0, exponent) && std::isfinite(value);
    if (fits) {
        exponent = std::ilogb(value);
        const double rest = std::ldexp(value, -exponent);  // in [1, 2)
        const double next_from = rounding.scale == Scale::nearest ? 1.5 : 1;
        const bool is_next =
            rounding.scale == Scale::nearest ? rest >= next_from : rest > next_from;
        if (is_next && rounding.scale != Scale::down) ++exponent;
        fits = exponent + format.bias <= static_cast<int>(kLargestScale);
    }
    if (fits) return static_cast<unsigned>(exponent + format.bias);
    if (!rounding.saturates) return kScaleNan;
    return value < 1 ? 0 : kLargestScale;
}

// The code of a number from 0 on; the one past the largest if it is too large.
unsigned magnitude_code(const Format& format, double value) {
    const unsigned too_large = format.largest() + 1;
    if (std::isinf(value)) return too_large;
    const int lowest = 1 - format.bias;
    int exponent = value == 0 ? lowest : std::max(std::ilogb(value), lowest);
    if (exponent > format.bias + 1) return too_large;
    // A fraction that is rounded up to 2 carries into the exponent by itself.
    const double fraction = std::nearbyint(std::ldexp(value, format.fraction_bits() - exponent));
    const unsigned code = (static_cast<unsigned>(exponent - lowest) << format.fraction_bits()) +
                          static_cast<unsigned>(fraction);
    return std::min(code, too_large);
}

unsigned float_code(const Format& format, double value, NarrowRounding rounding) {
    if (std::isnan(value))
        return format.special == Special::ieee ? mask_of(format) >> 1U : format.nan_code();
    unsigned code = magnitude_code(format, std::abs(value));
    if (code > format.largest()) {
        const bool has_other = !rounding.saturates && format.special != Special::none;
        if (has_other && format.special == Special::minus_zero) return format.nan_code();
        code = has_other ? format.largest() + 1 : format.largest();
    }
    const bool has_sign = code != 0 || format.special != Special::minus_zero;
    return std::signbit(value) && has_sign ? code | format.sign_code() : code;
}

}  // namespace

int narrow_bits(ElementType type) { return is_narrow(type) ? format_of(type).bits : 0; }
bool is_narrow_integer(ElementType type) { return is_narrow(type) && format_of(type).is_integer(); }

std::uint8_t narrow_code(ElementType type, double value, NarrowRounding rounding) {
    const Format& format = format_of(type);
    const unsigned code = format.is_integer() ? integer_code(value)
                          : format.is_scale() ? scale_code(format, value, rounding)
                                              : float_code(format, value, rounding);
    return static_cast<std::uint8_t>(code & mask_of(format));
}

std::uint8_t narrow_code(ElementType type, std::uint64_t word, bool is_signed,
                         NarrowRounding rounding) {
    const Format& format = format_of(type);
    if (format.is_integer()) return static_cast<std::uint8_t>(word & mask_of(format));
    const double value = is_signed ? static_cast<double>(static_cast<std::int64_t>(word))
                                   : static_cast<double>(word);
    return narrow_code(type, value, rounding);
}

const NarrowNumbers& narrow_numbers(ElementType type) {
    static const std::vector<NarrowNumbers> tables = [] {
        std::vector<NarrowNumbers> all;
        for (const Format& format : kFormats) all.push_back(numbers_of(format));
        return all;
    }();
    return tables[static_cast<std::size_t>(&format_of(type) - kFormats)];
}

std::size_t packed_bytes(ElementType type, std::size_t count) {
    const std::size_t in_a_byte = 8 / static_cast<std::size_t>(format_of(type).bits);
    return count / in_a_byte + (count % in_a_byte != 0 ? 1 : 0);
}

void pack(ElementType type, std::span<const std::uint8_t> elements, std::uint8_t* packed) {
    const Format& format = format_of(type);
    const std::size_t in_a_byte = 8 / static_cast<std::size_t>(format.bits);
    std::fill_n(packed, packed_bytes(type, elements.size()), std::uint8_t{0});
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const unsigned code = (elements[i] & mask_of(format))
                              << (i % in_a_byte * static_cast<std::size_t>(format.bits));
        packed[i / in_a_byte] = static_cast<std::uint8_t>(packed[i / in_a_byte] | code);
    }
}

void unpack(ElementType type, const std::uint8_t* packed, std::span<std::uint8_t> elements) {
    const Format& format = format_of(type);
    const std::size_t in_a_byte = 8 / static_cast<std::size_t>(format.bits);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto shift = i % in_a_byte * static_cast<std::size_t>(format.bits);
        elements[i] = static_cast<std::uint8_t>((packed[i / in_a_byte] >> shift) & mask_of(format));
    }
}

}  // namespace rondo
