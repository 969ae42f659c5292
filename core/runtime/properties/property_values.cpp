#include "core/runtime/properties/property_values.hpp"

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {

void refuse_value(const std::string& name, const std::string& value, const std::string& expected) {
    throw ModelError("property '" + name + "': got '" + value + "'; expected " + expected);
}

bool switch_of(const std::string& name, const std::string& value) {
    if (equals_ignoring_case(value, "YES") || equals_ignoring_case(value, "TRUE")) return true;
    if (equals_ignoring_case(value, "NO") || equals_ignoring_case(value, "FALSE")) return false;
    refuse_value(name, value, "YES or NO");
}

bool switch_of(const Properties& properties, const char* name, bool otherwise) {
    const auto found = properties.find(name);
    return found == properties.end() ? otherwise : switch_of(name, found->second);
}

}  // namespace rondo
