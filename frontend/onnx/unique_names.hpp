// Gives every node of a graph a name of its own.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

namespace rondo::onnx {

class UniqueNames {
public:
    /// `wanted`, or where it is taken `wanted_1`, `wanted_2` ...; the name is then taken.
    std::string take(const std::string& wanted);

private:
    // Name -> the number to try next, so that many equal names cost no search.
    std::unordered_map<std::string, std::size_t> taken_;
};

}  // namespace rondo::onnx
