// Marks what the shared library exports.
#pragma once

#if defined(RONDO_BUILDING)
#define RONDO_API __attribute__((visibility("default")))
#else
#define RONDO_API
#endif
