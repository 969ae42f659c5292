// Whether a sanitizer watches the program: it keeps memory that is freed, and maps some of its own.
#pragma once

namespace rondo::test {

#if defined(__has_feature)  // Clang
inline constexpr bool kIsThreadSanitized = __has_feature(thread_sanitizer);
inline constexpr bool kIsSanitized = kIsThreadSanitized || __has_feature(address_sanitizer);
#else  // GCC
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kIsThreadSanitized = true;
#else
inline constexpr bool kIsThreadSanitized = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = kIsThreadSanitized;
#endif
#endif

}  // namespace rondo::test
