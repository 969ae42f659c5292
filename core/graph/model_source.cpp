#include "core/graph/model_source.hpp"

namespace rondo {

MappedFile open_file(const std::string& path, std::vector<OpenedFile>* opened) {
    MappedFile file = map_file(path);
    if (opened == nullptr) return file;
    bool settled = true;
    if (file.size > kSmallFile) {
        const FileStamp stamp = mapping_of(file.owner)->stamp;
        settled = wait_until_settled(stamp);
        file = map_file(path);  // as it is after the wait
        const Mapping* mapping = mapping_of(file.owner);
        settled = settled && mapping != nullptr && mapping->stamp == stamp;
    }
    opened->push_back({path, file, settled});
    return file;
}

}  // namespace rondo
