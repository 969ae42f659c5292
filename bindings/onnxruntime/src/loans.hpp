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

/// A host frees its constants once it has what runs them. Most of them are packed until then, and
/// nothing reads them any more.
class Loans {
public:
    enum class Which { none, large, all };

    explicit Loans(Which which) : which_(which) {}

    /// The elements, as bytes: on loan, or a copy.
    Tensor hold(const std::string& name, const HostTensor& tensor);
    /// This constant isn't lent.
    void copy(const std::string& name) { copied_.insert(name); }
    /// The constants on loan that something still reads are copied from now on. True if there are
    /// any.
    bool copy_what_is_read();

private:
    bool may_lend(const std::string& name, std::size_t bytes) const;

    Which which_;
    std::set<std::string> copied_;
    std::vector<std::pair<std::string, std::weak_ptr<const void>>> lent_;
};

}  // namespace rondo::ort
