// The version of these headers as macros, for C and C++: `#if RONDO_VERSION_AT_LEAST(0, 1, 0)`.
// rondo::get_version() is that of the library a program runs with.
#pragma once

#define RONDO_VERSION_MAJOR 0
#define RONDO_VERSION_MINOR 1
#define RONDO_VERSION_PATCH 0
#define RONDO_VERSION "0.1.0"

/* Whether this version is that one or a newer one. */
#define RONDO_VERSION_AT_LEAST(major, minor, patch) \
    (RONDO_VERSION_MAJOR > (major) ||               \
     (RONDO_VERSION_MAJOR == (major) &&             \
      (RONDO_VERSION_MINOR > (minor) ||             \
       (RONDO_VERSION_MINOR == (minor) && RONDO_VERSION_PATCH >= (patch)))))
