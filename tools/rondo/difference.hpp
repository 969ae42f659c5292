// How far two tensors are apart.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "arguments.hpp"
#include "rondo/tensor.hpp"

namespace rondo::tool {

struct Difference {
    std::size_t count = 0;
    double max_abs = 0;
    double max_rel = 0;
    std::size_t past_tolerance = 0;
    std::size_t largest = 0;  ///< flat index of the element that differs most
    std::size_t first = 0;    ///< of the first one past the tolerance
    double got = 0;           ///< there
    double expected = 0;
    Shape shape;
};

/// `what` opens the message of the ModelError for tensors of unlike types or shapes.
Difference difference(const std::string& what, const Tensor& got, const Tensor& expected,
                      const CompareOptions& options);

/// The element's number, or its code if the type is narrow.
long double element_of(const Tensor& tensor, std::size_t i);

/// "[0,3,1]".
std::string index_text(std::size_t flat, const Shape& shape);

/// "[1,4]: max abs error 0.5, ...; 3 of 4 past the tolerance, first at [0,1]: got 1, expected 2".
std::string to_text(const Difference& difference);
/// All of it but the name.
nlohmann::json to_json(const Difference& difference);

}  // namespace rondo::tool
