#include "core/runtime/cache/cache_entry.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/ir/output_file.hpp"
#include "core/support/digest.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

constexpr char kHeader[64] = "rondo model cache, entry 1\n";  // keeps constants on a cache line
constexpr std::uint64_t kMagic = 0x31796c646e6f52;            // the frame's version is part of it

// The sizes of the parts between header and footer, in their order.
struct Frame {
    std::uint64_t magic = kMagic;
    std::uint64_t constants = 0;  ///< with the header
    std::uint64_t xml = 0;
    std::uint64_t key = 0;
    std::uint64_t files = 0;
};

struct Footer {
    Frame frame;
    Digest digest;  ///< of all bytes before it
};

void check(bool holds, const char* reason) {
    if (!holds) throw ModelError(reason);
}

Footer footer_of(const MappedFile& file) {
    Footer footer;
    check(file.size >= sizeof(kHeader) + sizeof(Footer), "it is too short");
    std::memcpy(&footer, file.data + file.size - sizeof(Footer), sizeof(Footer));
    check(footer.frame.magic == kMagic, "it isn't an entry, or is cut off");
    std::uint64_t left = file.size - sizeof(Footer);
    const Frame& frame = footer.frame;
    for (const std::uint64_t size : {frame.constants, frame.xml, frame.key, frame.files}) {
        check(size <= left, "its parts pass its end");
        left -= size;
    }
    check(left == 0, "its parts don't fill it");
    return footer;
}

}  // namespace

void write_entry(ir::OutputFile& file, const Graph& graph, const EntryFacts& facts) {
    file.write(kHeader, sizeof(kHeader));
    const ir::XmlRange xml = ir::append(graph, file, facts.mapped);
    file.write(facts.key.data(), facts.key.size());
    file.write(facts.files.data(), facts.files.size());
    Footer footer;
    footer.frame = {kMagic, xml.offset, xml.size, facts.key.size(), facts.files.size()};
    file.write(&footer.frame, sizeof(footer.frame));
    footer.digest = file.digest();
    file.write(&footer.digest, sizeof(footer.digest));
}

CacheEntry read_entry(MappedFile file) {
    CacheEntry entry;
    entry.file = std::move(file);
    const Footer footer = footer_of(entry.file);
    const auto* text = reinterpret_cast<const char*>(entry.file.data);
    const Frame& frame = footer.frame;
    entry.xml = {frame.constants, frame.xml};
    entry.key = {text + frame.constants + frame.xml, frame.key};
    const Digest digest = digest_of(entry.file.data, entry.file.size - sizeof(Digest));
    check(digest == footer.digest, "its digest doesn't fit its bytes");
    drop_pages(entry.file);
    entry.files = {entry.key.data() + entry.key.size(), frame.files};
    return entry;
}

CacheEntry open_entry(const std::string& path, const std::string& key) {
    CacheEntry entry = read_entry(map_file(path));
    check(entry.key == key, "it was made from something else, or elsewhere");
    return entry;
}

std::shared_ptr<Graph> graph_of(const CacheEntry& entry, const ModelLimits& limits,
                                std::vector<MappedFile> mapped) {
    ModelSource source;
    source.data = entry.file.data + entry.xml.offset;
    source.size = entry.xml.size;
    source.weights = Tensor(ElementType::u8, {entry.file.size}, entry.file.data, entry.file.owner);
    source.limits = limits;
    source.files = std::move(mapped);
    return ir::read(source);
}

}  // namespace rondo
