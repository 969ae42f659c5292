// Inputs and attributes for each op, for tests that walk all ops and all types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::test {

/// An input of a sample.
struct SampleInput {
    enum class Kind { data, integers, booleans };
    Shape shape;
    Kind kind = Kind::data;            ///< data: of the type that the test asks for
    std::vector<std::int64_t> values;  ///< of integers (i64)
    double lo = -4;                    ///< of data; 0 and above for unsigned types
    double hi = 4;
    bool is_known = false;  ///< a constant in the graph
};

/// How to make an op, by its name in the IR. Forms of several opsets share a sample.
struct OpSample {
    std::string op;
    std::vector<SampleInput> inputs;
    std::map<std::string, std::string> attributes = {};
    /// How far floating results may be from the reference, relative to 1 and to the result, in
    /// units of the type's last place.
    double ulps = 2;
};

/// One or more samples of every op that computes something.
std::vector<OpSample> op_samples();

/// All but `dynamic`.
std::vector<ElementType> all_element_types();

}  // namespace rondo::test
