#include "core/graph/model_source.hpp"

namespace rondo {
namespace {

// Once there are more, not all files are read whole.
bool are_many_bytes(std::size_t bytes, const std::vector<OpenedFile>& opened) {
    for (const OpenedFile& file : opened) {
        if (bytes > kSmallFile) break;
        bytes += file.bytes.size;
    }
    return bytes > kSmallFile;
}

}  // namespace

MappedFile open_file(const std::string& path, std::vector<OpenedFile>* opened) {
    MappedFile file = map_file(path);
    if (opened == nullptr) return file;
    bool settled = true;
    if (const Mapping* first = mapping_of(file.owner)) {
        const FileStamp stamp = first->stamp;
        settled = is_settled(stamp);
        if (!settled && are_many_bytes(file.size, *opened)) {
            settled = wait_until_settled(stamp);
            file = map_file(path);  // as it is after the wait
            const Mapping* mapping = mapping_of(file.owner);
            settled = settled && mapping != nullptr && mapping->stamp == stamp;
        }
    }
    opened->push_back({path, file, settled});
    return file;
}

}  // namespace rondo
