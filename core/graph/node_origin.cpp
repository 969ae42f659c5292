#include "core/graph/node_origin.hpp"

#include <array>
#include <cstddef>

namespace rondo {
namespace {

using Kind = NodeOrigin::Kind;

// In the order of the enum.
constexpr std::array<std::string_view, 5> kKinds = {"node", "node of", "input", "output", "tensor"};
constexpr char kSeparator = '|';  // in no kind and no operator's name

std::string_view word(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool is_node(Kind kind) { return kind == Kind::node || kind == Kind::node_of; }

std::string named(std::string_view kind, std::string_view name) {
    return std::string(kind) + " '" + std::string(name) + "'";
}

}  // namespace

const NodeOriginPtr& NodeOrigin::itself() {
    static const auto kItself = std::make_shared<const NodeOrigin>();
    return kItself;
}

std::string to_text(const NodeOrigin& origin) {
    return std::string(word(origin.kind)) + kSeparator + origin.type + kSeparator + origin.name;
}

NodeOriginPtr node_origin_from_text(std::string_view text) {
    const std::size_t kind_end = text.find(kSeparator);
    if (kind_end == std::string_view::npos) return nullptr;
    const std::size_t type_end = text.find(kSeparator, kind_end + 1);
    if (type_end == std::string_view::npos) return nullptr;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
        if (kKinds[i] != text.substr(0, kind_end)) continue;
        const auto type = text.substr(kind_end + 1, type_end - kind_end - 1);
        return std::make_shared<NodeOrigin>(NodeOrigin{
            static_cast<Kind>(i), std::string(text.substr(type_end + 1)), std::string(type)});
    }
    return nullptr;
}

std::string describe(const NodeOrigin* origin, std::string_view name, std::string_view type) {
    const std::string own_type(type);
    if (origin == nullptr || origin == NodeOrigin::itself().get()) {
        return named("node", name) + " (" + own_type + ")";
    }
    const std::string text = named(word(origin->kind), origin->name);
    const std::string made = name.empty() ? own_type : named(type, name);
    if (!is_node(origin->kind)) return origin->type == type ? text : text + " (as " + made + ")";
    if (origin->name != name) return text + " (" + origin->type + ", as " + made + ")";
    return text + " (" + origin->type + (origin->type == type ? "" : ", as " + own_type) + ")";
}

}  // namespace rondo
