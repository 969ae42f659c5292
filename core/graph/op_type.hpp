// What an op is called. Plain data, which the tables of families hold.
#pragma once

#include <string>
#include <string_view>

namespace rondo {

/// The opset that an op is written under, where the standard ones don't have it.
inline constexpr std::string_view kRondoOpset = "rondo1";

/// What an op is called in the IR: its type and the first standard opset that has it in this form.
struct OpType {
    std::string_view name;
    int opset;  ///< 1 for opset1; 0 for our own opset "rondo1"

    /// "opset5" or "rondo1".
    std::string opset_name() const;
};

}  // namespace rondo
