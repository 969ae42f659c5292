// Several tensors as the rows of one.
#pragma once

#include <cstring>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::test {

/// Dense tensors of one type and shape, one after another along a new axis 0.
inline Tensor stacked(const std::vector<Tensor>& rows) {
    Shape shape = rows[0].shape();
    shape.insert(shape.begin(), rows.size());
    Tensor whole(rows[0].element_type(), shape);
    auto* to = static_cast<char*>(whole.data());
    for (const Tensor& row : rows) {
        std::memcpy(to, row.data(), row.byte_size());
        to += row.byte_size();
    }
    return whole;
}

}  // namespace rondo::test
