#include "plugins/cpu/plugin/packed_files.hpp"

#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/ir/output_file.hpp"
#include "core/runtime/cache/build_id.hpp"
#include "core/support/errors.hpp"
#include "core/support/log.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".packed";
constexpr char kTitle[32] = "rondo packed weights 1\n";

// After the bytes, so that these begin on a page.
struct Footer {
    char title[sizeof(kTitle)];
    Digest digest;  // of the bytes
};

// The bytes of the file, which has so many.
MappedFile mapped(const std::string& path, std::size_t size) {
    MappedFile file = map_file(path);
    if (file.size != size + sizeof(Footer)) throw ModelError("it has another size");
    file.size = size;
    return file;
}

MappedFile checked(const std::string& path, std::size_t size) {
    MappedFile file = mapped(path, size);
    Footer footer;
    std::memcpy(&footer, file.data + size, sizeof(footer));
    const bool is_whole = std::memcmp(footer.title, kTitle, sizeof(kTitle)) == 0 &&
                          footer.digest == digest_of(file.data, size);
    if (!is_whole) throw ModelError("its digest doesn't fit its bytes");
    return file;
}

}  // namespace

std::string PackedFiles::path_of(const Digest& source) const {
    Digester digester;
    digester.add_text(build_id());
    digester.add_text(source.text());
    return (fs::path(folder_) / (digester.digest().text() + std::string(kEnding))).string();
}

MappedFile PackedFiles::find(const Digest& source, std::size_t size) {
    const std::string path = path_of(source);
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    try {
        return checked(path, size);
    } catch (const std::exception& reason) {  // the weights themselves are there
        log(LogLevel::info, "cache: " + path + " is not used and made again: " + reason.what());
        return {};
    }
}

MappedFile PackedFiles::keep(const Digest& source, std::span<const std::byte> bytes) {
    const std::string path = path_of(source);
    try {
        std::call_once(is_tidied_, [&] { ir::remove_abandoned(folder_, kEnding); });
        ir::OutputFile file(path);
        file.write(bytes.data(), bytes.size());
        Footer footer{};
        std::memcpy(footer.title, kTitle, sizeof(kTitle));
        footer.digest = file.digest();
        file.write(&footer, sizeof(footer));
        file.finish();
        file.publish();
        return mapped(path, bytes.size());
    } catch (const std::exception& reason) {
        log(LogLevel::warning,
            std::string("cache: packed weights were not written: ") + reason.what());
        return {};
    }
}

}  // namespace rondo::cpu
