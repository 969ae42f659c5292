// Whether a sanitizer watches the program: it keeps memory that is freed, and maps some of its own.
#pragma once

namespace rondo::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)  // Clang
inline constexpr bool kIsSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace rondo::test
