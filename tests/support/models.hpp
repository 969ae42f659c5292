// The folder of real models for tests, which aren't part of the repository.
#pragma once

#include <optional>
#include <string>

namespace rondo::test {

/// The folder named by RONDO_MODELS, else `<source>/../shared/models`; nothing if it is absent:
///
///     const auto models = models_dir();
///     if (!models) GTEST_SKIP() << kNoModels;
std::optional<std::string> models_dir();

/// The message of a test that is skipped without models.
inline constexpr const char* kNoModels =
    "no models here: set RONDO_MODELS to the folder that holds them";

}  // namespace rondo::test
