// Constants of a host that a model is compiled from where they are, without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/onnxruntime/src/host_tensor.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ort {

/// Which constants are borrowed; the others are copied.
enum class Borrow { nothing, large, everything };

/// A host frees its constants once it has what runs them. Most of them are packed until then, and
/// nothing reads them any more.
class BorrowedConstants {
public:
    /// Large are those of `large` bytes or more.
    explicit BorrowedConstants(Borrow which, std::size_t large = std::size_t{1} << 20)
        : which_(which), large_(large) {}

    /// The elements, as bytes: the host's memory, or a copy.
    Tensor hold(const std::string& name, const HostTensor& tensor);
    /// Copies this constant from now on, if only large ones are borrowed.
    void copy(const std::string& name) { copied_.insert(name); }
    /// The names of those that something still reads; they are copied from now on, too.
    std::vector<std::string> copy_what_is_read();

private:
    bool may_borrow(const std::string& name, std::size_t bytes) const;

    const Borrow which_;
    const std::size_t large_;
    std::set<std::string> copied_;
    std::vector<std::pair<std::string, std::weak_ptr<const void>>> readers_;
};

}  // namespace rondo::ort
