// What a failing test says of a random model: where the smallest model that fails like it was
// written.
#pragma once

#include <string>

#include "tests/random/minimise/minimise.hpp"

namespace rondo::test {

/// Minimises the models that fail in one test. Only the first two: a fault that most models have
/// would take too long otherwise.
class FailureReport {
public:
    explicit FailureReport(Failure failure) : failure_(std::move(failure)) {}

    /// Writes the minimal model to the folder `name` in RONDO_TEST_FAILURES, or in the folder of
    /// temporary files. Returns the lines that say so, or why it wasn't written.
    std::string minimised(const RandomModel& model, const std::string& name);

private:
    Failure failure_;
    int count_ = 0;
};

}  // namespace rondo::test
