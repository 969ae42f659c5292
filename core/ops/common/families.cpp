#include "core/ops/common/families.hpp"

#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

std::string_view expectation(TypeRule rule) {
    switch (rule) {
        case TypeRule::floating: return "a floating type";
        case TypeRule::integer: return "numbers that are integers";
        case TypeRule::number: return "numbers";
        case TypeRule::boolean: return "boolean";
        case TypeRule::any: break;
    }
    return "any type";
}

}  // namespace

bool takes(TypeRule rule, ElementType type) {
    if (type == ElementType::dynamic) return true;
    switch (rule) {
        case TypeRule::floating: return is_floating(type);
        case TypeRule::integer: return is_integral(type);
        case TypeRule::number: return is_floating(type) || is_integral(type);
        case TypeRule::boolean: return type == ElementType::boolean;
        case TypeRule::any: break;
    }
    return true;
}

void check_type(const InferContext& context, TypeRule rule, ElementType type,
                std::string_view what) {
    if (takes(rule, type)) return;
    context.refuse(std::string(what) + " " + std::string(to_string(type)) + "; expected " +
                   std::string(expectation(rule)));
}

}  // namespace rondo::ops
