#include "core/graph/attribute_text.hpp"

#include <charconv>
#include <iterator>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

[[noreturn]] void fail(std::string_view name, std::string_view text, std::string_view expected) {
    throw ModelError("attribute '" + std::string(name) + "' is '" + std::string(text) +
                     "'; expected " + std::string(expected));
}

template <typename T, typename Print>
std::string list_text(const std::vector<T>& values, Print print) {
    std::vector<std::string> parts;
    for (const auto& value : values) parts.push_back(print(value));
    return join(parts, ", ");
}

std::int64_t parse_integer(std::string_view name, std::string_view text) {
    long long value = 0;
    if (!parse_int(text, value)) fail(name, text, "an integer");
    return value;
}

float parse_float(std::string_view name, std::string_view text) {
    double value = 0;
    if (!parse_double(text, value)) fail(name, text, "a number");
    return static_cast<float>(value);
}

// Falls back to more digits if the reader, which goes through double, would round twice.
std::string shortest_text(float value) {
    char buffer[40];
    const std::string text(buffer, std::to_chars(std::begin(buffer), std::end(buffer), value).ptr);
    double seen = 0;
    const bool exact = parse_double(text, seen) && static_cast<float>(seen) == value;
    return exact ? text : attribute_text(value);
}

// Runs `parse`, whose errors don't know the attribute's name.
template <typename Parse>
auto parse_attribute(std::string_view name, const Parse& parse) {
    const auto place = "attribute '" + std::string(name) + "': ";
    try {
        return parse();
    } catch (const ModelError& error) {
        throw ModelError(place + error.what());
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(place + error.what());
    }
}

}  // namespace

std::string attribute_text(float value) {
    char text[40];
    const auto end = std::to_chars(std::begin(text), std::end(text), static_cast<double>(value),
                                   std::chars_format::general, 17);
    return {text, end.ptr};
}

void AttributeTextWriter::put(std::string_view name, std::string text) {
    texts_.emplace_back(name, std::move(text));
}
void AttributeTextWriter::on(std::string_view name, const bool& value) {
    put(name, value ? "true" : "false");
}
void AttributeTextWriter::on(std::string_view name, const std::int64_t& value) {
    put(name, std::to_string(value));
}
void AttributeTextWriter::on(std::string_view name, const float& value) {
    put(name, attribute_text(value));
}
void AttributeTextWriter::on(std::string_view name, const std::string& value) { put(name, value); }
void AttributeTextWriter::on(std::string_view name, const ElementType& value) {
    put(name, std::string(to_string(value)));
}
void AttributeTextWriter::on(std::string_view name, const PartialShape& value) {
    const std::string text = to_string(value);
    put(name, text.substr(1, text.size() - 2));
}
void AttributeTextWriter::on(std::string_view name, const std::vector<std::int64_t>& value) {
    put(name, list_text(value, [](std::int64_t v) { return std::to_string(v); }));
}
void AttributeTextWriter::on(std::string_view name, const std::vector<float>& value) {
    put(name, list_text(value, shortest_text));
}
void AttributeTextWriter::on(std::string_view name, const std::vector<std::string>& value) {
    put(name, join(value, ", "));
}

void AttributeTextReader::on(std::string_view name, bool& value) {
    const auto text = find_(name);
    if (!text) return;
    const std::string lower = to_lower(trim(*text));
    if (lower == "true" || lower == "1") {
        value = true;
    } else if (lower == "false" || lower == "0") {
        value = false;
    } else {
        fail(name, *text, "true or false");
    }
}
void AttributeTextReader::on(std::string_view name, std::int64_t& value) {
    if (const auto text = find_(name)) value = parse_integer(name, *text);
}
void AttributeTextReader::on(std::string_view name, float& value) {
    if (const auto text = find_(name)) value = parse_float(name, *text);
}
void AttributeTextReader::on(std::string_view name, std::string& value) {
    if (const auto text = find_(name)) value = *text;
}
void AttributeTextReader::on(std::string_view name, ElementType& value) {
    const auto text = find_(name);
    if (text) value = parse_attribute(name, [&] { return element_type_from_string(*text); });
}
void AttributeTextReader::on(std::string_view name, PartialShape& value) {
    const auto text = find_(name);
    if (text) value = parse_attribute(name, [&] { return PartialShape::parse(*text); });
}
void AttributeTextReader::on(std::string_view name, std::vector<std::int64_t>& value) {
    const auto text = find_(name);
    if (!text) return;
    value.clear();
    for (const auto& part : split(*text, ',')) value.push_back(parse_integer(name, part));
}
void AttributeTextReader::on(std::string_view name, std::vector<float>& value) {
    const auto text = find_(name);
    if (!text) return;
    value.clear();
    for (const auto& part : split(*text, ',')) value.push_back(parse_float(name, part));
}
void AttributeTextReader::on(std::string_view name, std::vector<std::string>& value) {
    if (const auto text = find_(name)) value = split(*text, ',');
}
std::string AttributeTextReader::choice(std::string_view name,
                                        const std::vector<std::string>& names) {
    const auto text = find_(name);
    if (!text) return {};
    for (const auto& known : names) {
        if (equals_ignoring_case(known, trim(*text))) return known;
    }
    fail(name, *text, "one of " + quoted_list(names));
}

}  // namespace rondo
