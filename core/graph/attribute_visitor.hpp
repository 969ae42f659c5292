// One walk over an op's attributes serves reading, writing, printing and comparing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

namespace rondo {

/// A reader assigns through the reference where it has that attribute and else leaves the default;
/// a writer only reads. Names and order are those of OpenVINO's IR.
class AttributeVisitor {
public:
    virtual ~AttributeVisitor() = default;

    /// True for a reader: it must see every attribute, also those written only when they matter.
    virtual bool reads() const { return false; }

    virtual void on(std::string_view name, bool& value) = 0;
    virtual void on(std::string_view name, std::int64_t& value) = 0;
    virtual void on(std::string_view name, float& value) = 0;
    virtual void on(std::string_view name, std::string& value) = 0;
    virtual void on(std::string_view name, ElementType& value) = 0;
    virtual void on(std::string_view name, PartialShape& value) = 0;
    virtual void on(std::string_view name, std::vector<std::int64_t>& value) = 0;
    virtual void on(std::string_view name, std::vector<float>& value) = 0;
    virtual void on(std::string_view name, std::vector<std::string>& value) = 0;

    /// An enumeration written as one of the names in `table`.
    template <typename Enum>
    void on_enum(std::string_view name, Enum& value,
                 std::span<const std::pair<std::string_view, Enum>> table) {
        std::string text;
        std::vector<std::string> names;
        for (const auto& [known, entry] : table) {
            if (entry == value) text = known;
            names.emplace_back(known);
        }
        on_choice(name, text, names);
        for (const auto& [known, entry] : table) {
            if (known == text) value = entry;
        }
    }

protected:
    /// Must leave one of `names` in `value`, compared without regard to case, or throw ModelError.
    virtual void on_choice(std::string_view name, std::string& value,
                           const std::vector<std::string>& names) = 0;
};

}  // namespace rondo
