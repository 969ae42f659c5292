#include "core/streams/state_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/support/digest.hpp"
#include "rondo/element_type.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// A title, the number of variables, each (name, 0 or 1, and then type, rank, extents, elements),
// and the digest of all that. Numbers have 64 bits, the low byte first; texts have their size in
// front.
constexpr std::string_view kTitle = "rondo stream state 1\n";

void add(std::string& bytes, std::uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void add(std::string& bytes, std::string_view text) {
    add(bytes, std::uint64_t{text.size()});
    bytes += text;
}

class StateReader {
public:
    explicit StateReader(std::string_view bytes) : left_(bytes) {}

    std::string_view take(std::uint64_t size) {
        if (size > left_.size()) throw ModelError("the state is cut off");
        const std::string_view part = left_.substr(0, size);
        left_.remove_prefix(size);
        return part;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
        return value;
    }
    std::string text() { return std::string(take(number())); }
    bool is_done() const { return left_.empty(); }

private:
    std::string_view left_;
};

Tensor read_value(StateReader& reader) {
    const ElementType type = element_type_from_string(reader.text());
    Shape shape;
    for (std::uint64_t rank = reader.number(); rank > 0; --rank) shape.push_back(reader.number());
    const std::string_view elements = reader.take(reader.number());
    if (element_count(shape) * size_of(type) != elements.size()) {
        throw ModelError("the state has a value whose size doesn't fit its shape");
    }
    Tensor value(type, shape);
    if (!elements.empty()) std::memcpy(value.data(), elements.data(), elements.size());
    return value;
}

}  // namespace

Tensor bytes_of(const StateStore::Values& values) {
    std::string bytes(kTitle);
    add(bytes, std::uint64_t{values.size()});
    for (const auto& [name, value] : values) {
        add(bytes, name);
        add(bytes, std::uint64_t{value ? 1U : 0U});
        if (!value) continue;
        add(bytes, to_string(value.element_type()));
        add(bytes, std::uint64_t{value.shape().size()});
        for (const std::size_t extent : value.shape()) add(bytes, std::uint64_t{extent});
        add(bytes, {static_cast<const char*>(value.data()), value.byte_size()});
    }
    const Digest digest = digest_of(bytes.data(), bytes.size());
    bytes.append(reinterpret_cast<const char*>(&digest), sizeof(digest));
    Tensor result(ElementType::u8, {bytes.size()});
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
}

StateStore::Values values_in(const Tensor& bytes) {
    if (!bytes) throw ModelError("the state is an empty tensor");
    const Tensor dense = bytes.contiguous();
    const std::string_view all(static_cast<const char*>(dense.data()), dense.byte_size());
    Digest digest;
    if (all.size() < kTitle.size() + sizeof(digest) || all.substr(0, kTitle.size()) != kTitle) {
        throw ModelError("these " + std::to_string(all.size()) +
                         " bytes are not the state of a stream, as this version saves it");
    }
    const std::string_view content = all.substr(0, all.size() - sizeof(digest));
    std::memcpy(&digest, all.data() + content.size(), sizeof(digest));
    if (digest != digest_of(content.data(), content.size()))
        throw ModelError("the state is damaged: its digest is wrong");
    StateReader reader(content.substr(kTitle.size()));
    StateStore::Values values;
    for (std::uint64_t count = reader.number(); count > 0; --count) {
        std::string name = reader.text();
        values.emplace(std::move(name), reader.number() == 0 ? Tensor() : read_value(reader));
    }
    if (!reader.is_done()) throw ModelError("the state has bytes behind its end");
    return values;
}

}  // namespace rondo
