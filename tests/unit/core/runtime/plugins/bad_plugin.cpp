// Libraries that are no plugins, or bad ones: BAD_VERSION is the version that one claims,
// BAD_CREATE what its constructor does, if it has one.
#include "rondo/plugin.hpp"

#define BAD_EXPORT extern "C" __attribute__((visibility("default")))

BAD_EXPORT const char* rondo_plugin_version() { return BAD_VERSION; }

#ifdef BAD_CREATE
BAD_EXPORT rondo::DevicePlugin* rondo_create_plugin() { BAD_CREATE; }
#endif
