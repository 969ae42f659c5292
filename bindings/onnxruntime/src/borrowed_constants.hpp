// Constants of a host that a model is compiled from where they are, without a copy.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/onnxruntime/src/host_tensor.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ort {

/// So many bytes of a constant are worth it to be borrowed where only some may be.
inline constexpr std::size_t kWorthBorrowing = std::size_t{1} << 20;
inline constexpr std::size_t kBorrowEverything = 0;
inline constexpr std::size_t kBorrowNothing = std::numeric_limits<std::size_t>::max();

/// A host frees its constants once it has what runs them. Most of them are packed until then, and
/// nothing reads them any more.
class BorrowedConstants {
public:
    /// Those of `least` bytes or more are borrowed, the others copied.
    explicit BorrowedConstants(std::size_t least) : least_(least) {}

    /// The elements, as bytes: the host's memory, or a copy.
    Tensor hold(const std::string& name, const HostTensor& tensor);
    /// Copies this constant from now on.
    void copy(const std::string& name) { copied_.insert(name); }
    /// The names of those that something still reads; they are copied from now on, too.
    std::vector<std::string> copy_what_is_read();

private:
    const std::size_t least_;
    std::set<std::string> copied_;
    std::vector<std::pair<std::string, std::weak_ptr<const void>>> readers_;
};

}  // namespace rondo::ort
