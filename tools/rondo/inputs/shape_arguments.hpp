// Reads shapes from the command line: `x[1,?,80],h[1,1..8]`, or `[1,10,80]` for a sole input.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// For `-shape`: one shape an input, open extents allowed. Throws ModelError naming the argument;
/// of an input among `constants`, the model's constant_inputs(), it says why it is none.
std::map<std::string, PartialShape> parse_shapes(const std::string& text,
                                                 const std::vector<PortInfo>& inputs,
                                                 const std::vector<std::string>& constants = {});

/// The shape in which the input gets a tensor of this one: a scalar also takes one element of any
/// rank.
Shape given_shape(const PortInfo& input, const Shape& shape);

/// For `-data_shape`: several shapes an input, used in rotation: `x[1,10,80][1,20,80]`.
std::map<std::string, std::vector<Shape>> parse_data_shapes(
    const std::string& text, const std::vector<PortInfo>& inputs,
    const std::vector<std::string>& constants = {});

/// `-chunk`: the shapes of one step of a live stream. The first open axis of an input is the batch,
/// of extent 1, unless the axis in front of it has the extent 1; the others have the extent
/// `chunk`. Throws ModelError naming an input that needs one if `chunk` is 0.
std::map<std::string, Shape> chunk_shapes(const std::vector<PortInfo>& inputs, std::size_t chunk);

/// For `-layout`: the letters of each input's axes: `x[TNC],h[DNC]`.
std::map<std::string, std::string> parse_layouts(const std::string& text,
                                                 const std::vector<PortInfo>& inputs,
                                                 const std::vector<std::string>& constants = {});

/// `-b`: the inputs' shapes with the batch in axis N of the layout, else in the only open axis,
/// else in axis 0 of extent 1. Throws ModelError if no layout names the batch and it isn't one
/// of these, and if no input has one.
std::map<std::string, PartialShape> with_batch(const std::vector<PortInfo>& inputs,
                                               const std::map<std::string, std::string>& layouts,
                                               std::size_t batch);

}  // namespace rondo::tool
