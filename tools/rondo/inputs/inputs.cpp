#include "inputs/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>

#include "difference.hpp"
#include "files.hpp"
#include "inputs/npy.hpp"
#include "inputs/shape_arguments.hpp"
#include "rondo/conversion.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"

namespace rondo::tool {

namespace {

struct Argument {
    std::string name;
    std::string path;
};

// Where the longest of the model's names ends that comes before this separator.
std::size_t end_of_known_name(const std::string& argument, const std::vector<PortInfo>& inputs,
                              char separator) {
    std::size_t end = std::string::npos;
    for (const auto& input : inputs) {
        for (const auto& name : input.names) {
            const bool fits = argument.starts_with(name + separator);
            if (fits && (end == std::string::npos || name.size() > end)) end = name.size();
        }
    }
    return end;
}

// A name may hold a '=' or ':' itself: the model's own names are tried first.
Argument split_argument(const std::string& argument, const std::vector<PortInfo>& inputs) {
    std::size_t end = end_of_known_name(argument, inputs, '=');
    if (end == std::string::npos) end = end_of_known_name(argument, inputs, ':');
    if (end == std::string::npos) end = argument.find('=');
    if (end != std::string::npos) {
        Argument both{argument.substr(0, end), argument.substr(end + 1)};
        if (both.path.empty()) {
            throw ModelError("-i " + argument + ": the file is missing; write -i " + both.name +
                             "=file.npy");
        }
        if (both.path.ends_with(".npz")) {
            throw ModelError("-i " + argument + ": an .npz file has arrays of several names; " +
                             "write -i " + both.path + ", and the input gets its array '" +
                             both.name + "'");
        }
        return both;
    }
    if (inputs.size() == 1) return {inputs[0].any_name(), argument};
    throw ModelError("-i " + argument + ": the model has " + std::to_string(inputs.size()) +
                     " inputs; write -i name=file.npy");
}

template <typename T>
void fill_uniform(Tensor& tensor, std::mt19937& random) {
    std::uniform_real_distribution<float> values(-1.0f, 1.0f);
    T* data = tensor.data<T>();
    for (std::size_t i = 0; i < tensor.size(); ++i) data[i] = static_cast<T>(values(random));
}

template <typename T>
void fill_range(Tensor& tensor, ValueRange range, std::mt19937& random) {
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (static_cast<std::uint64_t>(std::max<std::int64_t>(range.max, 0)) > most) {
        range.max = static_cast<std::int64_t>(most);
    }
    std::uniform_int_distribution<std::int64_t> values(range.min, std::max(range.min, range.max));
    T* data = tensor.data<T>();
    for (std::size_t i = 0; i < tensor.size(); ++i) data[i] = static_cast<T>(values(random));
}

// Elements of a narrow type, each of which has these codes.
void fill_codes(Tensor& tensor, std::mt19937& random) {
    std::uniform_int_distribution<int> codes(0, 3);
    auto* data = static_cast<std::uint8_t*>(tensor.data());
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        data[i] = static_cast<std::uint8_t>(codes(random));
    }
}

void fill(Tensor& tensor, ValueRange range, std::mt19937& random) {
    switch (tensor.element_type()) {
        case ElementType::f64: return fill_uniform<double>(tensor, random);
        case ElementType::f32: return fill_uniform<float>(tensor, random);
        case ElementType::f16: return fill_uniform<float16>(tensor, random);
        case ElementType::bf16: return fill_uniform<bfloat16>(tensor, random);
        case ElementType::i64: return fill_range<std::int64_t>(tensor, range, random);
        case ElementType::i32: return fill_range<std::int32_t>(tensor, range, random);
        case ElementType::i16: return fill_range<std::int16_t>(tensor, range, random);
        case ElementType::i8: return fill_range<std::int8_t>(tensor, range, random);
        case ElementType::u64: return fill_range<std::uint64_t>(tensor, range, random);
        case ElementType::u32: return fill_range<std::uint32_t>(tensor, range, random);
        case ElementType::u16: return fill_range<std::uint16_t>(tensor, range, random);
        case ElementType::u8: return fill_range<std::uint8_t>(tensor, range, random);
        case ElementType::boolean: return fill_range<bool>(tensor, {0, 1}, random);
        case ElementType::dynamic: break;
        default: return fill_codes(tensor, random);
    }
    throw ModelError("can't make values for an input of unknown type");
}

Tensor allocate(const PortInfo& input, const Shape& shape) {
    try {
        return {input.element_type, shape};
    } catch (const ModelError& error) {
        throw ModelError("input '" + input.any_name() + "' " + to_string(shape) + ": " +
                         error.what());
    }
}

std::string names_of(const std::vector<PortInfo>& ports) {
    std::string text;
    for (const auto& port : ports) {
        text += (text.empty() ? "'" : ", '") + port.any_name() + "' " + typed_shape(port);
    }
    return text;
}

}  // namespace

std::map<std::string, Tensor> read_inputs(const std::vector<std::string>& arguments,
                                          const Model& model) {
    const auto inputs = model.inputs();
    std::map<std::string, Tensor> tensors;
    const auto add = [&](const std::string& name, const Tensor& tensor) {
        if (tensors.emplace(name, tensor).second) return;
        throw ModelError("input '" + name + "' was given twice");
    };
    for (const auto& argument : arguments) {
        if (argument.ends_with(".npz") && argument.find('=') == std::string::npos) {
            for (const auto& [name, tensor] : read_npz(argument)) {
                const PortInfo port = model.input(name);
                add(port.any_name(), fitted(tensor, port, argument));
            }
            continue;
        }
        const auto [name, path] = split_argument(argument, inputs);
        const PortInfo port = model.input(name);
        add(port.any_name(), read_input_file(path, port));
    }
    return tensors;
}

void require_all(const std::map<std::string, Tensor>& tensors, const Model& model) {
    std::vector<PortInfo> missing;
    for (const auto& port : model.inputs()) {
        if (tensors.count(port.any_name()) == 0) missing.push_back(port);
    }
    if (missing.empty()) return;
    throw ModelError("missing inputs: " + names_of(missing) + "; give each as -i name=file.npy");
}

Tensor make_input(const Model& model, const PortInfo& input, const Shape& shape,
                  std::mt19937& random) {
    Tensor tensor = allocate(input, shape);
    const ValueRange range = model.value_range(input.any_name()).value_or(ValueRange{1, 1});
    fill(tensor, range, random);
    return tensor;
}

Model with_shapes(const Model& model, const std::map<std::string, Shape>& shapes) {
    Model fixed = model.clone();
    std::map<std::string, PartialShape> partial;
    for (const auto& [name, shape] : shapes) partial[name] = shape;
    fixed.reshape(partial);
    return fixed;
}

Model read_with_shapes(const Core& core, const std::string& path, const std::string& shapes) {
    Model model = core.read_model(path);
    if (!shapes.empty()) {
        model.reshape(parse_shapes(shapes, model.inputs(), model.constant_inputs()));
    }
    return model;
}

std::map<std::string, Shape> complete_shapes(const Model& model,
                                             const std::map<std::string, Shape>& shapes) {
    std::map<std::string, Shape> result = shapes;
    std::vector<PortInfo> open;
    for (const auto& port : model.inputs()) {
        if (result.count(port.any_name()) != 0) continue;
        if (port.shape.is_static()) {
            result[port.any_name()] = port.shape.to_shape();
        } else {
            open.push_back(port);
        }
    }
    if (open.empty()) return result;
    throw ModelError("the shapes of these inputs are open: " + names_of(open) +
                     "; fix them with --data_shape \"" + open[0].any_name() + "[...]\" or -i");
}

std::map<std::string, Tensor> read_or_make_inputs(const Model& model,
                                                  const std::vector<std::string>& arguments,
                                                  const std::string& data_shape, unsigned seed) {
    std::map<std::string, Tensor> tensors = read_inputs(arguments, model);
    std::map<std::string, Shape> shapes;
    const auto given = parse_data_shapes(data_shape, model.inputs(), model.constant_inputs());
    for (const auto& [name, list] : given) shapes[name] = list.front();
    for (const auto& [name, tensor] : tensors) shapes[name] = tensor.shape();
    const Model fixed = with_shapes(model, complete_shapes(model, shapes));
    std::mt19937 random(seed);
    for (const auto& port : fixed.inputs()) {
        if (tensors.count(port.any_name()) != 0) continue;
        tensors[port.any_name()] = make_input(fixed, port, port.shape.to_shape(), random);
    }
    return tensors;
}

namespace {

// The shape of a file of so many elements.
Shape shape_for(const std::string& path, const PortInfo& input, std::size_t bytes) {
    const std::size_t each = size_of(input.element_type);
    const std::string place = "input '" + input.any_name() + "' " + typed_shape(input);
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
    return formatted("%.*Lg", digits, number);
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
    const std::string mismatch = what + " holds " + typed_shape(from, tensor.shape()) +
                                 "; expected " + typed_shape(type, input.shape);
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
