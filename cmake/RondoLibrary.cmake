# The one shipped library, made of every folder's objects, and its twin for the tests.
get_property(modules GLOBAL PROPERTY RONDO_MODULES)
get_property(packages GLOBAL PROPERTY RONDO_PACKAGES)
list(REMOVE_DUPLICATES packages)

set(objects "")
foreach(module IN LISTS modules)
    list(APPEND objects $<TARGET_OBJECTS:${module}>)
endforeach()

add_library(rondo ${objects})
add_library(rondo::rondo ALIAS rondo)
target_compile_features(rondo PUBLIC cxx_std_17)
target_include_directories(rondo PUBLIC
    $<BUILD_INTERFACE:${rondo_SOURCE_DIR}/core/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(rondo PRIVATE rondo_options ${packages})
set_target_properties(rondo PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX)

# Tests reach inside: the same objects, with nothing hidden from the linker.
add_library(rondo_internal STATIC EXCLUDE_FROM_ALL ${objects})
target_link_libraries(rondo_internal PUBLIC ${packages})
set_target_properties(rondo_internal PROPERTIES LINKER_LANGUAGE CXX)
