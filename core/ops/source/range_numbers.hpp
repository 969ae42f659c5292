// The numbers of a range: where it starts, stops, and how far it steps.
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::ops {

/// An integer as it is, or a floating number in double.
struct RangeNumber {
    bool is_whole = true;
    std::int64_t whole = 0;
    double real = 0;  ///< also of a whole number
};

/// Reads one element of a type other than boolean. A u64 above 2^63 becomes infinite.
RangeNumber range_number(ElementType type, const void* element);

struct RangeNumbers {
    RangeNumber start;
    RangeNumber stop;
    RangeNumber step;
};

struct RangeLength {
    std::int64_t length = 0;
    const char* fault = nullptr;  ///< why there is no length; null if there is one
};

/// How many elements start, start + step, ... lie before stop: max(ceil((stop - start) / step), 0),
/// in double unless all are integers, as onnxruntime and NumPy compute it.
RangeLength range_length(const RangeNumbers& numbers);

}  // namespace rondo::ops
