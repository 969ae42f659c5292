// Values of properties under OpenVINO's names Any and AnyMap, for rondo/openvino.hpp.
#pragma once

#include <cctype>
#include <cstddef>
#include <limits>
#include <locale>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "rondo/error.hpp"
#include "rondo/openvino/element_type.hpp"

namespace rondo::ov {

/// How values of a type are written and read: the names that Rondo's properties have. An enum has
/// a function names_of(), a table of names and values, in its namespace.
template <typename T, typename = void>
struct AnyText {
    static_assert(std::is_enum_v<T>,
                  "an ov::Any of Rondo holds texts, numbers, switches, types, "
                  "enums of properties and lists of texts");
    static std::string write(T value) {
        for (const auto& [name, known] : names_of(T{})) {
            if (known == value) return name;
        }
        throw ModelError("ov::Any: the value " + std::to_string(static_cast<int>(value)) +
                         " has no name");
    }
    static T read(const std::string& text) {
        std::string list;
        for (const auto& [name, value] : names_of(T{})) {
            if (text == name) return value;
            list += list.empty() ? name : std::string(", ") + name;
        }
        throw ModelError("ov::Any: got '" + text + "'; expected one of " + list);
    }
};

template <typename T>
struct AnyText<T, std::enable_if_t<std::is_base_of_v<std::string, T>>> {
    static std::string write(const T& value) { return value; }
    static T read(const std::string& text) { return T(text); }
};

template <>
struct AnyText<const char*> {
    static std::string write(const char* value) { return value; }
};

template <>
struct AnyText<bool> {
    static std::string write(bool value) { return value ? "YES" : "NO"; }
    static bool read(std::string text) {
        for (char& letter : text) {
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        }
        if (text == "YES" || text == "TRUE" || text == "1") return true;
        if (text == "NO" || text == "FALSE" || text == "0") return false;
        throw ModelError("ov::Any: got '" + text + "'; expected YES or NO");
    }
};

/// As in C, whatever locale the program has.
template <typename T>
struct AnyText<T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>>> {
    static std::string write(T value) {
        std::ostringstream stream;
        stream.imbue(std::locale::classic());
        stream.precision(std::numeric_limits<T>::max_digits10);
        stream << +value;
        return stream.str();
    }
    static T read(const std::string& text) {
        std::istringstream stream(text);
        stream.imbue(std::locale::classic());
        T value{};
        const bool wraps = std::is_unsigned_v<T> && text.find('-') != std::string::npos;
        if (wraps || !(stream >> value) ||
            stream.peek() != std::istringstream::traits_type::eof()) {
            throw ModelError("ov::Any: '" + text + "' is not a number of this type");
        }
        return value;
    }
};

template <>
struct AnyText<element::Type> {
    static std::string write(const element::Type& value) { return value.to_string(); }
    static element::Type read(const std::string& text) { return element::Type(text); }
};

/// Separated by blanks.
template <typename T>
struct AnyText<std::vector<T>> {
    static std::string write(const std::vector<T>& values) {
        std::string text;
        for (const T& value : values) text += (text.empty() ? "" : " ") + AnyText<T>::write(value);
        return text;
    }
    static std::vector<T> read(const std::string& text) {
        std::vector<T> values;
        std::istringstream stream(text);
        stream.imbue(std::locale::classic());
        for (std::string part; stream >> part;) values.push_back(AnyText<T>::read(part));
        return values;
    }
};

/// A value of a property. It is kept as text, from which as() reads any type that the text fits.
class Any {
public:
    Any() = default;
    template <typename T, std::enable_if_t<!std::is_same_v<std::decay_t<T>, Any>, int> = 0>
    Any(const T& value)  // NOLINT: implicit on purpose
        : text_(AnyText<std::decay_t<const T&>>::write(value)), type_(&typeid(T)) {}
    template <std::size_t size>
    Any(const char (&text)[size]) : text_(text), type_(&typeid(std::string)) {}  // NOLINT
    Any(const char* text) : text_(text), type_(&typeid(std::string)) {}          // NOLINT

    bool empty() const { return type_ == nullptr; }
    /// Whether it was made of a T.
    template <typename T>
    bool is() const {
        return type_ != nullptr && *type_ == typeid(T);
    }
    /// Throws ov::Exception if the text isn't a T's.
    template <typename T>
    T as() const {
        if (empty()) throw ModelError("ov::Any: it is empty");
        return AnyText<T>::read(text_);
    }
    void print(std::ostream& stream) const { stream << text_; }

    friend bool operator==(const Any& a, const Any& b) {
        return a.empty() == b.empty() && a.text_ == b.text_;
    }
    friend bool operator!=(const Any& a, const Any& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& stream, const Any& any) {
        return stream << any.text_;
    }

private:
    std::string text_;
    const std::type_info* type_ = nullptr;
};

using AnyMap = std::map<std::string, Any>;

}  // namespace rondo::ov
