// Runs a random model on two devices and compares them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rondo/rondo.hpp"
#include "tests/random/random_model.hpp"

namespace rondo::test {

/// In what numbers a model's layers compute: integers, or by a property of the device; and what is
/// done to its graph before that.
struct Numbers {
    std::optional<QuantizationOptions> integers;
    Properties properties;
    std::function<void(Graph&)> change = {};
};

/// The outputs of every run of the model on one compiled model: all sizes in turn, and then all
/// again, so that each plan serves twice. Throws what Rondo throws.
std::vector<std::vector<Tensor>> run_model(const RandomModel& model, const std::string& device,
                                           const Numbers& numbers = {});

/// The first difference of two tensors in a line; empty where type and shape agree, and each
/// element by `tolerance` times its size or 1. With a tolerance of 0 only equal numbers agree, as
/// integers and booleans always do.
std::string tensor_difference(const Tensor& actual, const Tensor& expected, double tolerance);
/// The same where 0 and -0 differ. A NaN agrees with every NaN.
std::string bits_difference(const Tensor& actual, const Tensor& expected);
/// The first difference between the outputs of two lists of runs in a line; empty where there is
/// none. What is exact (exact_ops.hpp) is compared by bits.
std::string run_difference(const RandomModel& model, const std::vector<std::vector<Tensor>>& actual,
                           const std::vector<std::vector<Tensor>>& expected);

/// The first difference between CPU and REFERENCE in a line, or between two runs of one plan on
/// CPU, which give the same bits; empty where there is none. An error is a difference too.
std::string device_difference(const RandomModel& model);

}  // namespace rondo::test
