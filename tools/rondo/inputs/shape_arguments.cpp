#include "inputs/shape_arguments.hpp"

#include <algorithm>

#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::tool {
namespace {

using Groups = std::map<std::string, std::vector<std::string>>;

const PortInfo& find_input(const std::vector<PortInfo>& inputs, const std::string& name,
                           const std::string& text, const std::vector<std::string>& constants) {
    std::vector<std::string> known;
    for (const auto& input : inputs) {
        if (std::find(input.names.begin(), input.names.end(), name) != input.names.end()) {
            return input;
        }
        known.push_back(input.any_name());
    }
    throw ModelError("'" + text + "': the model has no input '" + name + "'; " +
                     known_inputs(name, known, constants));
}

struct Name {
    std::string text;
    std::size_t open;  ///< the place of the bracket after it
};

// The longest of the model's names that is at `at` before a bracket. It may hold brackets,
// commas and blanks itself. Empty if there is none.
Name known_name(const std::string& text, std::size_t at, const std::vector<PortInfo>& inputs) {
    Name longest{"", at};
    for (const auto& input : inputs) {
        for (const auto& name : input.names) {
            if (name.size() <= longest.text.size() || text.compare(at, name.size(), name) != 0) {
                continue;
            }
            const std::size_t open = text.find_first_not_of(' ', at + name.size());
            if (open < text.size() && text[open] == '[') longest = {name, open};
        }
    }
    return longest;
}

// The name at `at`, without blanks at its ends.
Name read_name(const std::string& text, std::size_t at, const std::vector<PortInfo>& inputs) {
    const std::size_t first = std::min(text.find_first_not_of(' ', at), text.size());
    Name name = known_name(text, first, inputs);
    if (!name.text.empty()) return name;
    name.open = text.find('[', at);
    if (name.open == std::string::npos) {
        throw ModelError("'" + text + "' is not a list of shapes; expected name[1,2,3],...");
    }
    const std::size_t last = text.find_last_not_of(' ', name.open - 1);
    if (first < name.open) name.text = text.substr(first, last + 1 - first);
    if (name.text.empty() && inputs.size() != 1) {
        throw ModelError("'" + text + "' needs names: the model has " +
                         std::to_string(inputs.size()) + " inputs");
    }
    return name;
}

// "x[a][b],y[c]" -> {x: {a, b}, y: {c}}; a name may be left out if there is one input.
Groups parse_groups(const std::string& text, const std::vector<PortInfo>& inputs,
                    const std::vector<std::string>& constants) {
    Groups groups;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto [name, open] = read_name(text, at, inputs);
        const PortInfo& input =
            name.empty() ? inputs[0] : find_input(inputs, name, text, constants);
        auto& parts = groups[input.any_name()];
        for (at = open; at < text.size() && text[at] == '[';) {
            const auto close = text.find(']', at);
            if (close == std::string::npos) throw ModelError("'" + text + "' lacks a ]");
            parts.push_back(text.substr(at + 1, close - at - 1));
            at = close + 1;
        }
        at = std::min(text.find_first_not_of(", ", at), text.size());
    }
    return groups;
}

}  // namespace

Shape given_shape(const PortInfo& input, const Shape& shape) {
    const bool is_scalar = input.shape.has_rank() && input.shape.rank() == 0;
    return is_scalar && input.takes(shape) ? Shape() : shape;
}

std::map<std::string, PartialShape> parse_shapes(const std::string& text,
                                                 const std::vector<PortInfo>& inputs,
                                                 const std::vector<std::string>& constants) {
    std::map<std::string, PartialShape> result;
    for (const auto& [name, parts] : parse_groups(text, inputs, constants)) {
        if (parts.size() != 1) throw ModelError("'" + text + "': one shape for '" + name + "'");
        result[name] = PartialShape::parse(parts[0]);
    }
    return result;
}

std::map<std::string, std::vector<Shape>> parse_data_shapes(
    const std::string& text, const std::vector<PortInfo>& inputs,
    const std::vector<std::string>& constants) {
    std::map<std::string, std::vector<Shape>> result;
    for (const auto& [name, parts] : parse_groups(text, inputs, constants)) {
        for (const auto& part : parts) {
            const PartialShape shape = PartialShape::parse(part);
            if (!shape.is_static()) {
                throw ModelError("'" + text + "': '" + name + "' needs every extent, got [" + part +
                                 "]");
            }
            result[name].push_back(
                given_shape(find_input(inputs, name, text, constants), shape.to_shape()));
        }
    }
    return result;
}

std::map<std::string, std::string> parse_layouts(const std::string& text,
                                                 const std::vector<PortInfo>& inputs,
                                                 const std::vector<std::string>& constants) {
    std::map<std::string, std::string> result;
    for (const auto& [name, parts] : parse_groups(text, inputs, constants)) {
        std::string letters = parts[0];
        letters.erase(std::remove(letters.begin(), letters.end(), ','), letters.end());
        result[name] = letters;
    }
    return result;
}

namespace {

std::size_t only_open_axis(const PortInfo& input) {
    std::size_t axis = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < input.shape.rank(); ++i) {
        if (input.shape[i].is_static()) continue;
        axis = i;
        ++count;
    }
    const bool is_row = count == 0 && input.shape[0] == Dimension(1);  // of a batch of one
    if (count == 1 || is_row) return axis;
    if (count == 0) {
        throw ModelError("-b: input '" + input.any_name() + "' " + to_string(input.shape) +
                         " has no open axis; say which is the batch: --layout " + input.any_name() +
                         "[TNC]");
    }
    throw ModelError("-b: input '" + input.any_name() + "' " + to_string(input.shape) +
                     " has several open axes; say which is the batch: --layout " +
                     input.any_name() + "[TNC]");
}

}  // namespace

std::map<std::string, Shape> chunk_shapes(const std::vector<PortInfo>& inputs, std::size_t chunk) {
    std::map<std::string, Shape> result;
    for (const auto& input : inputs) {
        if (!input.shape.has_rank()) continue;
        bool has_batch = false;
        Shape shape;
        for (const Dimension& extent : input.shape.dimensions()) {
            const bool is_chunk = !extent.is_static() && has_batch;
            if (is_chunk && chunk == 0) {
                throw ModelError("input '" + input.any_name() + "' has the shape " +
                                 to_string(input.shape) + "; give --chunk or --data_shape");
            }
            const auto known = static_cast<std::size_t>(extent.is_static() ? extent.length() : 1);
            shape.push_back(is_chunk ? chunk : known);
            has_batch = has_batch || shape.back() == 1;
        }
        result[input.any_name()] = shape;
    }
    return result;
}

std::map<std::string, PartialShape> with_batch(const std::vector<PortInfo>& inputs,
                                               const std::map<std::string, std::string>& layouts,
                                               std::size_t batch) {
    std::map<std::string, PartialShape> result;
    for (const auto& input : inputs) {
        if (!input.shape.has_rank() || input.shape.rank() == 0) continue;
        std::size_t axis = 0;
        const auto layout = layouts.find(input.any_name());
        if (layout != layouts.end()) {
            axis = layout->second.find('N');
            if (axis == std::string::npos) continue;
        } else {
            axis = only_open_axis(input);
        }
        if (axis >= input.shape.rank()) {
            throw ModelError("--layout of '" + input.any_name() + "' has more axes than " +
                             to_string(input.shape));
        }
        PartialShape shape = input.shape;
        shape[axis] = Dimension(static_cast<std::int64_t>(batch));
        result[input.any_name()] = shape;
    }
    if (result.empty()) throw ModelError("-b: no input has a batch axis (N of --layout)");
    return result;
}

}  // namespace rondo::tool
