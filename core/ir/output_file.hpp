// A file that appears under its name only when it is complete.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/support/digest.hpp"

namespace rondo::ir {

/// Writes to a temporary name beside the file that `path` leads to through its links. Every failure
/// is a ModelError with the path and the system's reason; without publish() the destructor removes
/// what was written. A writer locks its temporary file; the next writer of `path` removes those
/// that killed writers left.
class OutputFile {
public:
    /// A file that is replaced keeps its permissions. Refuses one that may not be written to, and
    /// what isn't a regular file.
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(const void* data, std::size_t size);
    /// True if the `size` bytes written at `offset` are those of `data`.
    bool holds(std::size_t offset, const void* data, std::size_t size);
    std::size_t size() const { return size_; }
    /// The digest of all that was written.
    Digest digest() const;

    /// Waits until the bytes are on the disk, and makes publish() wait for the name: a crash of the
    /// system leaves the old file or the whole new one. Call it before finish().
    void sync();
    /// No more writes: what the system held back is reported here, and so is a name that can't be
    /// replaced any more.
    void finish();
    /// Removes the file of that name, if there is one, before publish(): if several files are
    /// replaced, what it says must not be read beside others' new bytes. Call finish() first.
    void remove_old();
    /// Takes the place of the file of that name, if there is one. Call finish() first.
    void publish();

private:
    [[noreturn]] void fail(const char* what) const;
    void check_target() const;
    void keep_mode() const;
    void open();
    bool try_open(const std::string& name);
    std::size_t read_back(std::size_t offset, char* to, std::size_t size) const;

    std::string path_;
    std::string target_;  ///< what `path_` leads to through its links
    std::string temporary_;
    int descriptor_ = -1;
    int lock_ = -1;  ///< holds the lock from finish() to publish()
    bool synced_ = false;
    std::size_t size_ = 0;
};

/// Removes from a folder the temporary files of files whose names end in `ending` that no process
/// writes any more. What can't be removed stays; throws nothing.
void remove_abandoned(const std::string& folder, std::string_view ending);

}  // namespace rondo::ir
