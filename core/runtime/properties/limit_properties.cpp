// The properties that limit what a model may ask for.
#include <algorithm>
#include <limits>

#include "core/runtime/properties/property_values.hpp"
#include "core/support/strings.hpp"

namespace rondo {

namespace {

struct LimitRow {
    const char* name;
    std::size_t ModelLimits::*value;
    long long most = std::numeric_limits<long long>::max();
};

// Readers and passes call themselves once a body, so that the stack bounds the depth. Shape
// inference takes a power of the depth of loops.
constexpr long long kMostDepth = 100;
constexpr long long kMostLoopDepth = 16;

constexpr LimitRow kRows[] = {
    {property::kMaxConstantBytes, &ModelLimits::constant_bytes},
    {property::kMaxDepth, &ModelLimits::depth, kMostDepth},
    {property::kMaxFoldedBytes, &ModelLimits::folded_bytes},
    {property::kMaxIterations, &ModelLimits::iterations},
    {property::kMaxLoopDepth, &ModelLimits::loop_depth, kMostLoopDepth},
    {property::kMaxNodes, &ModelLimits::nodes},
    {property::kMaxPlanBytes, &ModelLimits::plan_bytes},
    {property::kMaxTensorBytes, &ModelLimits::tensor_bytes},
};
constexpr long long kMostTime = 1'000'000'000;

const LimitRow* row_of(const std::string& name) {
    const auto at = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const LimitRow& row) { return row.name == name; });
    return at == std::end(kRows) ? nullptr : &*at;
}

long long number_of(const std::string& name, const std::string& value, long long most) {
    long long number = 0;
    if (!parse_int(value, number) || number < 0 || number > most) {
        refuse_value(name, value, "a number from 0 to " + std::to_string(most));
    }
    return number;
}

}  // namespace

Properties limit_properties() {
    const ModelLimits limits;
    Properties properties;
    for (const LimitRow& row : kRows) properties[row.name] = std::to_string(limits.*row.value);
    properties[property::kMaxCompileTime] = std::to_string(limits.compile_time.count());
    return properties;
}

bool check_limit(const std::string& name, const std::string& value) {
    const LimitRow* row = row_of(name);
    if (row == nullptr && name != property::kMaxCompileTime) return false;
    number_of(name, value, row != nullptr ? row->most : kMostTime);
    return true;
}

ModelLimits limits_of(const Properties& properties) {
    ModelLimits limits;
    for (const auto& [name, value] : properties) {
        if (const LimitRow* row = row_of(name)) {
            limits.*row->value = static_cast<std::size_t>(number_of(name, value, row->most));
        } else if (name == property::kMaxCompileTime) {
            limits.compile_time = std::chrono::milliseconds(number_of(name, value, kMostTime));
        }
    }
    return limits;
}

}  // namespace rondo
