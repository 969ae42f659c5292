// Tensors for a model's inputs: from files, or random but valid.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "rondo/tensor.hpp"

namespace rondo::tool {

/// Reads `name=file` or `name:file` arguments, .npy or .bin; the name may be left out if the
/// model has one input. `file.npz` alone gives each input that it has an array of that name for.
/// Throws ModelError for unknown names, for inputs given twice, and for types or shapes that don't
/// fit.
std::map<std::string, Tensor> read_inputs(const std::vector<std::string>& arguments,
                                          const Model& model);

/// Throws ModelError naming every input that `tensors` lacks.
void require_all(const std::map<std::string, Tensor>& tensors, const Model& model);

/// Floating inputs are uniform in [-1, 1). Integers are in the range that the graph allows (lengths
/// in 1..T, indices below the extent), or 1 if it has none. Throws ModelError for an open shape.
Tensor make_input(const Model& model, const PortInfo& input, const Shape& shape,
                  std::mt19937& random);

/// A tensor for each input: of `arguments`, as read_inputs() has them, else of make_input(), with
/// shapes from the text `data_shape` if the model's own are open.
std::map<std::string, Tensor> read_or_make_inputs(const Model& model,
                                                  const std::vector<std::string>& arguments,
                                                  const std::string& data_shape, unsigned seed);

/// `model` with the given inputs' shapes fixed, so that ranges of values are known.
Model with_shapes(const Model& model, const std::map<std::string, Shape>& shapes);

/// Reads a model and gives its inputs the shapes that a text such as "x[1,100,80],h[1,?,8]" names;
/// an empty text changes none. Throws ModelError for what isn't such a text or doesn't fit.
Model read_with_shapes(const Core& core, const std::string& path, const std::string& shapes);

/// The shape of each input: from `shapes`, else the model's own. Throws ModelError naming the
/// inputs whose shape is open, with how to give one.
std::map<std::string, Shape> complete_shapes(const Model& model,
                                             const std::map<std::string, Shape>& shapes);

/// Reads `.npy`, or `.bin`: the elements alone, row-major and little-endian, of the input's own
/// type; at most one of its extents may be open, which the file's size gives. Throws ModelError
/// naming file and fault, and as fitted().
Tensor read_input_file(const std::string& path, const PortInfo& input);

/// The tensor as an input takes it. Elements of another type are converted by the rule of
/// convert_tensor(), and a line on the standard error stream says which were rounded. Throws
/// ModelError if shape or type don't fit, or the type can't hold an element. `place` names the
/// tensor in messages.
Tensor fitted(const Tensor& tensor, const PortInfo& input, const std::string& place);

}  // namespace rondo::tool
