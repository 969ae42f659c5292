// The forms that OpenVINO's ops want of inputs that hold axes, shapes, counts and indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

namespace rondo {

class InferContext;

/// Which ranks an input may have.
enum class PortRank : std::uint8_t {
    scalar,
    vector,
    single,  ///< a scalar, or a vector of one element
    scalar_or_vector,
    any,
};

/// Which element types an input may have.
enum class PortType : std::uint8_t {
    index,         ///< i32 or i64
    strict_index,  ///< the same, and no reader makes one of them of another type of integers
    integer,       ///< every type of integers
    flag,          ///< boolean
    any,
};

/// When the elements of an input may become known.
enum class PortTime : std::uint8_t {
    any,
    compilation,  ///< OpenVINO's CPU device wants a constant; Rondo takes what comes with the run
};

/// What OpenVINO's CPU device takes at one input of an op. Nodes take no other form, so that it can
/// read what is written.
struct PortForm {
    std::string_view op;
    std::size_t input;
    std::string_view name;  ///< "axis"
    PortRank rank;
    PortType type;
    PortTime time = PortTime::any;
};

/// A row for each input that isn't plain data, sorted by op, then input. An op of all opsets has
/// one row.
std::span<const PortForm> port_forms();

/// The rows of an op; none if all of its inputs are data.
std::span<const PortForm> port_forms_of(std::string_view op);

/// Whether the form takes a rank or type; what is open may still become one that it takes.
bool takes(PortRank rank, const PartialShape& shape);
bool takes(PortType type, ElementType element_type);

/// Throws ModelError through `context` if an input of the op has another form.
void check_port_forms(const InferContext& context, std::string_view op);

}  // namespace rondo
