#include "frontend/onnx/unique_names.hpp"

namespace rondo::onnx {

std::string UniqueNames::take(const std::string& wanted) {
    if (taken_.emplace(wanted, 1).second) return wanted;
    while (true) {
        const std::string name = wanted + "_" + std::to_string(taken_[wanted]++);
        if (taken_.emplace(name, 1).second) return name;
    }
}

}  // namespace rondo::onnx
