#include "difference.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "rondo/error.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

double element(const Tensor& tensor, std::size_t i) {
    return static_cast<double>(element_of(tensor, i));
}

// NaN is larger than every number.
bool is_larger(double value, double than) { return !std::isnan(than) && !(value <= than); }

}  // namespace

long double element_of(const Tensor& tensor, std::size_t i) {
    switch (tensor.element_type()) {
        case ElementType::f64: return tensor.data<double>()[i];
        case ElementType::f32: return tensor.data<float>()[i];
        case ElementType::f16: return float(tensor.data<float16>()[i]);
        case ElementType::bf16: return float(tensor.data<bfloat16>()[i]);
        case ElementType::i64: return tensor.data<std::int64_t>()[i];
        case ElementType::i32: return tensor.data<std::int32_t>()[i];
        case ElementType::i16: return tensor.data<std::int16_t>()[i];
        case ElementType::i8: return tensor.data<std::int8_t>()[i];
        case ElementType::u64: return tensor.data<std::uint64_t>()[i];
        case ElementType::u32: return tensor.data<std::uint32_t>()[i];
        case ElementType::u16: return tensor.data<std::uint16_t>()[i];
        case ElementType::u8: return tensor.data<std::uint8_t>()[i];
        case ElementType::boolean: return tensor.data<bool>()[i] ? 1 : 0;
        case ElementType::dynamic: break;
        default: return static_cast<const std::uint8_t*>(tensor.data())[i];  // codes
    }
    throw ModelError("can't compare a tensor of unknown type");
}

Difference difference(const std::string& what, const Tensor& got, const Tensor& expected,
                      const CompareOptions& options) {
    if (got.shape() != expected.shape() || got.element_type() != expected.element_type()) {
        throw ModelError(what + ": got " + typed_shape(got.element_type(), got.shape()) +
                         "; the reference has " +
                         typed_shape(expected.element_type(), expected.shape()));
    }
    Difference result;
    result.count = got.size();
    result.shape = got.shape();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double a = element(got, i);
        const double b = element(expected, i);
        const bool same = a == b || (std::isnan(a) && std::isnan(b));
        const double abs = same ? 0.0 : std::fabs(a - b);
        // A NaN on one side must count, and an infinity that has no near numbers.
        const bool is_near =
            same || (std::isfinite(b) && abs <= options.atol + options.rtol * std::fabs(b));
        if (!is_near && result.past_tolerance++ == 0) {
            result.first = i;
            result.got = a;
            result.expected = b;
        }
        if (is_larger(abs, result.max_abs)) {
            result.max_abs = abs;
            result.largest = i;
        }
        const double rel = abs == 0 ? 0.0 : abs / std::max(std::fabs(b), 1e-30);
        if (is_larger(rel, result.max_rel)) result.max_rel = rel;
    }
    return result;
}

std::string index_text(std::size_t flat, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return to_string(index);
}

std::string to_text(const Difference& d) {
    std::ostringstream text;
    text << to_string(d.shape) << ": max abs error " << d.max_abs;
    if (d.max_abs != 0) text << " at " << index_text(d.largest, d.shape);
    text << ", max rel error " << d.max_rel;
    if (d.past_tolerance > 0) {
        text.precision(17);
        text << "; " << d.past_tolerance << " of " << d.count << " past the tolerance, first at "
             << index_text(d.first, d.shape) << ": got " << d.got << ", expected " << d.expected;
    }
    return text.str();
}

nlohmann::json to_json(const Difference& d) {
    nlohmann::json entry{{"shape", d.shape},
                         {"max_abs", d.max_abs},
                         {"max_rel", d.max_rel},
                         {"count", d.count},
                         {"past_tolerance", d.past_tolerance}};
    if (d.max_abs != 0) entry["largest"] = index_text(d.largest, d.shape);
    if (d.past_tolerance > 0) entry["first"] = index_text(d.first, d.shape);
    return entry;
}

}  // namespace rondo::tool
