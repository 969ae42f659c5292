// Where the real models for tests lie: they are no part of the repository.
#pragma once

#include <optional>
#include <string>

namespace rondo::test {

/// The folder named by RONDO_MODELS, else `<source>/../shared/models`; nothing where it is absent:
///
///     const auto models = models_dir();
///     if (!models) GTEST_SKIP() << kNoModels;
std::optional<std::string> models_dir();

/// What a test without models says when it is skipped.
inline constexpr const char* kNoModels =
    "no models here: set RONDO_MODELS to the folder that holds them";

}  // namespace rondo::test
