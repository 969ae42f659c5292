#include "core/runtime/cache/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rondo {
namespace {

constexpr std::size_t kNoteAlignment = 4;

std::size_t aligned(std::size_t size) {
    return (size + kNoteAlignment - 1) / kNoteAlignment * kNoteAlignment;
}

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += kDigits[bytes[i] >> 4];
        text += kDigits[bytes[i] & 15];
    }
    return text;
}

// A note: header, name, description, the latter two padded.
std::string id_among(const unsigned char* notes, std::size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof(note));
        const unsigned char* name = notes + sizeof(note);
        const std::size_t whole = sizeof(note) + aligned(note.n_namesz) + aligned(note.n_descsz);
        if (whole > size) return {};
        const bool is_gnu = note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0;
        if (is_gnu && note.n_type == NT_GNU_BUILD_ID) {
            return hexadecimal(name + aligned(note.n_namesz), note.n_descsz);
        }
        notes += whole;
        size -= whole;
    }
    return {};
}

struct Search {
    std::uintptr_t code;  ///< an address inside the object that is looked for
    std::string id;
};

bool holds(const dl_phdr_info& object, std::uintptr_t address) {
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const auto& part = object.dlpi_phdr[i];
        const std::uintptr_t start = object.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && address >= start && address - start < part.p_memsz) {
            return true;
        }
    }
    return false;
}

int visit(dl_phdr_info* object, std::size_t /*size*/, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (!holds(*object, search.code)) return 0;
    for (int i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
        const auto& part = object->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) continue;
        const std::uintptr_t start = object->dlpi_addr + part.p_vaddr;
        search.id = id_among(reinterpret_cast<const unsigned char*>(start), part.p_memsz);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    Search search{reinterpret_cast<std::uintptr_t>(&build_id), {}};
    ::dl_iterate_phdr(visit, &search);
    return search.id;
}

}  // namespace rondo
