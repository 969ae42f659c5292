// A file that appears under its name only when it is complete.
#pragma once

#include <cstddef>
#include <string>

#include "core/support/digest.hpp"

namespace rondo::ir {

/// Writes to a temporary name in the same folder. Every failure is a ModelError with the path and
/// the system's reason; without publish() the destructor removes what was written.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(const void* data, std::size_t size);
    /// True where the `size` bytes written at `offset` are those of `data`.
    bool holds(std::size_t offset, const void* data, std::size_t size);
    std::size_t size() const { return size_; }
    /// Of all that was written.
    Digest digest() const;

    /// No more writes: what the system held back is reported here.
    void finish();
    /// Takes the place of the file of that name, if there is one. Call finish() first.
    void publish();

private:
    [[noreturn]] void fail(const char* what) const;
    void open();
    std::size_t read_back(std::size_t offset, char* to, std::size_t size) const;

    std::string path_;
    std::string temporary_;
    int descriptor_ = -1;
    std::size_t size_ = 0;
};

}  // namespace rondo::ir
