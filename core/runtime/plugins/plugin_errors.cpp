#include "core/runtime/plugins/plugin_library.hpp"

#include <exception>
#include <new>

#include "core/support/errors.hpp"
#include "rondo/error.hpp"

namespace rondo {

void rethrow_from_plugin(const std::string& place) {
    try {
        throw;
    } catch (const ModelError& error) {
        throw ModelError(placed(place, error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(placed(place, error.what()));
    } catch (const CancelledError& error) {
        throw CancelledError(placed(place, error.what()));
    } catch (const OutOfMemoryError& error) {
        throw OutOfMemoryError(placed(place, error.what()));
    } catch (const QueueFullError& error) {
        throw QueueFullError(placed(place, error.what()));
    } catch (const InternalError& error) {
        throw InternalError(placed(place, error.what()));
    } catch (const std::bad_alloc&) {
        throw OutOfMemoryError(placed(place, "out of memory"));
    } catch (const std::exception& error) {
        throw Error(placed(place, error.what()));
    } catch (...) {
        throw Error(placed(place, "threw what is neither an Error nor a std::exception"));
    }
}

}  // namespace rondo
