#include "inputs/input_file.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "difference.hpp"
#include "files.hpp"
#include "inputs/npy.hpp"
#include "inputs/shape_arguments.hpp"
#include "rondo/conversion.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

// The shape of a file of so many elements.
Shape shape_for(const std::string& path, const PortInfo& input, std::size_t bytes) {
    const std::size_t each = size_of(input.element_type);
    const std::string place = "input '" + input.any_name() + "' " +
                              std::string(to_string(input.element_type)) + to_string(input.shape);
    if (each == 0 || !input.shape.has_rank()) {
        throw ModelError(path + ": a .bin file can't give " + place + "; use .npy");
    }
    Shape shape;
    std::size_t known = 1;
    std::size_t open = input.shape.rank();
    for (std::size_t i = 0; i < input.shape.rank(); ++i) {
        const Dimension& extent = input.shape[i];
        if (!extent.is_static() && open != input.shape.rank()) {
            throw ModelError(path + ": several extents of " + place +
                             " are open; a .bin file gives one, .npy all of them");
        }
        if (!extent.is_static()) open = i;
        shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.min()) : 1);
        known *= shape.back();
    }
    const bool fits =
        open == shape.size() ? bytes == known * each : known > 0 && bytes % (known * each) == 0;
    if (!fits) {
        throw ModelError(path + ": holds " + std::to_string(bytes) + " bytes, which don't fit " +
                         place);
    }
    if (open != shape.size()) shape[open] = bytes / (known * each);
    return shape;
}

Tensor read_bin(const std::string& path, const PortInfo& input) {
    const std::string bytes = file_bytes(path);
    Tensor tensor(input.element_type, shape_for(path, input, bytes.size()));
    if (!bytes.empty()) std::memcpy(tensor.data(), bytes.data(), bytes.size());
    return tensor;
}

std::string described(ElementType type, const std::string& shape) {
    return std::string(to_string(type)) + shape;
}

std::string numpy_name(ElementType type) {
    const std::string name(to_string(type));
    if (type == ElementType::boolean) return "bool";
    return (name[0] == 'u' ? "uint" : "int") + name.substr(1);
}

std::string way_out(ElementType from, ElementType to) {
    if (!is_floating(from) || is_narrow(to)) return {};
    return ": floating numbers don't become whole ones; convert the array: x.astype(\"" +
           numpy_name(to) + "\")";
}

std::string text_of(long double number, ElementType type) {
    const int digits = type == ElementType::f64 ? 17 : is_floating(type) ? 9 : 20;
    char text[64];
    std::snprintf(text, sizeof text, "%.*Lg", digits, number);
    return text;
}

std::string text_of(const Tensor& tensor, std::size_t i) {
    return text_of(element_of(tensor, i), tensor.element_type());
}

// The element whose number changed most, by its own size.
std::size_t most_changed(const Tensor& from, const Tensor& to) {
    std::size_t most = 0;
    long double largest = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const long double before = element_of(from, i);
        const long double change = std::fabs(element_of(to, i) - before) / std::fabs(before);
        if (!(change > largest)) continue;  // NaN: of 0 and of what isn't finite
        largest = change;
        most = i;
    }
    return most;
}

void note_rounding(const Tensor& from, const Conversion& result, const std::string& what) {
    const std::size_t most = most_changed(from, result.tensor);
    std::cerr << "rondo: " << what << ": " << result.rounded << " of " << from.size()
              << " numbers were rounded from " << to_string(from.element_type()) << " to "
              << to_string(result.tensor.element_type()) << ", most at "
              << index_text(most, from.shape()) << ": " << text_of(from, most) << " became "
              << text_of(result.tensor, most) << '\n';
}

}  // namespace

Tensor fitted(const Tensor& tensor, const PortInfo& input, const std::string& place) {
    const ElementType from = tensor.element_type();
    const ElementType type = input.element_type == ElementType::dynamic ? from : input.element_type;
    const std::string what = "input '" + input.any_name() + "': " + place;
    const std::string mismatch = what + " holds " + described(from, to_string(tensor.shape())) +
                                 "; expected " + described(type, to_string(input.shape));
    if (!input.takes(tensor.shape())) throw ModelError(mismatch);
    if (!can_convert(from, type)) throw ModelError(mismatch + way_out(from, type));
    const Conversion result = convert_tensor(tensor, type);
    if (result.refused) {
        throw ModelError(mismatch + ", which can't hold " + text_of(tensor, *result.refused) +
                         " at " + index_text(*result.refused, tensor.shape()));
    }
    if (result.rounded > 0) note_rounding(tensor, result, what);
    return result.tensor.reshaped(given_shape(input, tensor.shape()));
}

Tensor read_input_file(const std::string& path, const PortInfo& input) {
    if (path.ends_with(".bin")) return fitted(read_bin(path, input), input, path);
    return fitted(read_npy(path), input, path);
}

}  // namespace rondo::tool
