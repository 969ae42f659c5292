// What the plugin calls itself.
#pragma once

namespace rondo::ort {

inline constexpr const char* kProviderName = "RondoExecutionProvider";
inline constexpr const char* kVendor = "Rondo";
inline constexpr const char* kLibraryName = "rondo_onnxruntime_ep";
/// Under which name RegisterCustomOps() registers the library.
inline constexpr const char* kRegistrationName = "rondo";

}  // namespace rondo::ort
