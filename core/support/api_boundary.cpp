#include "core/support/api_boundary.hpp"

#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>

#include "core/support/errors.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

[[noreturn]] void throw_bug(const std::exception& error) {
    throw InternalError(one_line("an unexpected exception: " + std::string(error.what())));
}

}  // namespace

void rethrow_as_error() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        throw OutOfMemoryError("out of memory");
    } catch (const std::length_error&) {
        throw OutOfMemoryError("out of memory: more was needed than fits the address space");
    } catch (const std::system_error& error) {
        throw Error(one_line("the system refused a thread, a lock or a file: " +
                             std::string(error.what())));
    } catch (const std::logic_error& error) {
        throw_bug(error);
    } catch (const std::bad_cast& error) {
        throw_bug(error);
    } catch (const std::bad_optional_access& error) {
        throw_bug(error);
    } catch (const std::bad_variant_access& error) {
        throw_bug(error);
    } catch (const std::bad_function_call& error) {
        throw_bug(error);
    }
}

}  // namespace rondo
