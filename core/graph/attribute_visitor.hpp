// Visitors of an op's attributes: one list of names and members serves reading, writing, printing
// and comparing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

namespace rondo {

/// The names of an enumeration's values. If a value has several, the last one is written.
template <typename Enum>
using EnumNames = std::span<const std::pair<std::string_view, Enum>>;

/// Sets the attributes that it has and leaves the others as they are. Names and order are those of
/// OpenVINO's IR.
class AttributeReader {
public:
    virtual ~AttributeReader() = default;

    virtual void on(std::string_view name, bool& value) = 0;
    virtual void on(std::string_view name, std::int64_t& value) = 0;
    virtual void on(std::string_view name, float& value) = 0;
    virtual void on(std::string_view name, std::string& value) = 0;
    virtual void on(std::string_view name, ElementType& value) = 0;
    virtual void on(std::string_view name, PartialShape& value) = 0;
    virtual void on(std::string_view name, std::vector<std::int64_t>& value) = 0;
    virtual void on(std::string_view name, std::vector<float>& value) = 0;
    virtual void on(std::string_view name, std::vector<std::string>& value) = 0;

    template <typename Enum>
    void on_enum(std::string_view name, Enum& value, EnumNames<std::type_identity_t<Enum>> table) {
        std::vector<std::string> names;
        for (const auto& [known, entry] : table) names.emplace_back(known);
        const std::string text = choice(name, names);
        for (const auto& [known, entry] : table) {
            if (known == text) value = entry;
        }
    }

protected:
    /// The one of `names` that the attribute is, compared without regard to case, or an empty text
    /// if it isn't there. Throws ModelError for anything else.
    virtual std::string choice(std::string_view name, const std::vector<std::string>& names) = 0;
};

/// Sees the attributes in the IR's order.
class AttributeWriter {
public:
    virtual ~AttributeWriter() = default;

    virtual void on(std::string_view name, const bool& value) = 0;
    virtual void on(std::string_view name, const std::int64_t& value) = 0;
    virtual void on(std::string_view name, const float& value) = 0;
    virtual void on(std::string_view name, const std::string& value) = 0;
    virtual void on(std::string_view name, const ElementType& value) = 0;
    virtual void on(std::string_view name, const PartialShape& value) = 0;
    virtual void on(std::string_view name, const std::vector<std::int64_t>& value) = 0;
    virtual void on(std::string_view name, const std::vector<float>& value) = 0;
    virtual void on(std::string_view name, const std::vector<std::string>& value) = 0;

    template <typename Enum>
    void on_enum(std::string_view name, const Enum& value,
                 EnumNames<std::type_identity_t<Enum>> table) {
        std::string text;
        for (const auto& [known, entry] : table) {
            if (entry == value) text = known;
        }
        on(name, text);
    }
};

}  // namespace rondo
