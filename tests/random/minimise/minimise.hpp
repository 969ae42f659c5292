// Makes a model that fails smaller, as long as it fails in the same way.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "tests/random/random_model.hpp"

namespace rondo::test {

/// What is wrong with a model in a line; empty where nothing is. May throw rondo::Error, which is
/// no failure: such a model is left.
using Failure = std::function<std::string(const RandomModel&)>;

/// What a minimisation may cost. Its result depends on the time only if that runs out.
struct MinimiseLimits {
    std::size_t trials = 1000;
    std::chrono::seconds time{20};
};

/// The smallest model that was found.
struct Minimised {
    RandomModel model;
    std::string failure;    ///< its own
    std::size_t nodes = 0;  ///< with those of bodies
    std::size_t trials = 0;
};

/// Tries smaller models until none of them fails with a text of the same kind (failure_kind.hpp),
/// or a limit is reached. `failure` is called once for each trial. A model that doesn't fail is
/// returned as it is.
Minimised minimise(const RandomModel& model, const Failure& failure,
                   const MinimiseLimits& limits = {});

}  // namespace rondo::test
