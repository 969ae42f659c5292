// A non-owning reference to something callable: a parameter type that never allocates.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace rondo {

template <typename Signature>
class FunctionRef;

/// Must not outlive the callable it was made from.
template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
public:
    template <typename F,
              typename = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
    FunctionRef(F&& callable)  // NOLINT: implicit on purpose
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* object, Args... args) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(object))(
                  std::forward<Args>(args)...);
          }) {}

    R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
    void* object_;
    R (*call_)(void*, Args...);
};

}  // namespace rondo
