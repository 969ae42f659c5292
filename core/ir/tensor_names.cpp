#include "core/ir/tensor_names.hpp"

#include "rondo/error.hpp"

namespace rondo::ir {

std::string join_tensor_names(const std::set<std::string>& names) {
    std::string text;
    for (const auto& name : names) {
        if (name.empty()) continue;
        if (!text.empty()) {
            if (text.back() == '\\') {
                throw ModelError("tensor name '" + name +
                                 "' follows one that ends in a backslash, which the IR can't hold");
            }
            text += ',';
        }
        for (const char c : name) {
            if (c == ',') text += '\\';
            text += c;
        }
    }
    return text;
}

std::set<std::string> split_tensor_names(std::string_view text) {
    std::set<std::string> names;
    std::string name;
    const auto finish = [&] {
        if (!name.empty()) names.insert(std::move(name));
        name.clear();
    };
    for (const char c : text) {
        if (c != ',') {
            name += c;
        } else if (!name.empty() && name.back() == '\\') {
            name.back() = ',';
        } else {
            finish();
        }
    }
    finish();
    return names;
}

}  // namespace rondo::ir
