# The shipped library, made of every folder's objects, and a version for the tests.
get_property(modules GLOBAL PROPERTY RONDO_MODULES)
get_property(packages GLOBAL PROPERTY RONDO_PACKAGES)
list(REMOVE_DUPLICATES packages)
list(REMOVE_ITEM packages xbyak::xbyak)  # headers alone: nothing to link, nor to ask of users

set(objects "")
foreach(module IN LISTS modules)
    list(APPEND objects $<TARGET_OBJECTS:${module}>)
endforeach()

# rondo_finish_library(TARGET): sets what shared and static builds of the shipped library need.
function(rondo_finish_library target)
    target_compile_features(${target} PUBLIC cxx_std_17)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${rondo_SOURCE_DIR}/core/include>
        $<BUILD_INTERFACE:${rondo_SOURCE_DIR}/bindings/c/include>
        $<BUILD_INTERFACE:${rondo_SOURCE_DIR}/bindings/openvino/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:rondo_options> ${packages})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

add_library(rondo ${objects})
add_library(rondo::rondo ALIAS rondo)
rondo_finish_library(rondo)
set_target_properties(rondo PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
get_target_property(library_type rondo TYPE)
if(library_type STREQUAL "SHARED_LIBRARY")
    # Hidden visibility does not reach templates of the standard library; this list does.
    set(exports ${CMAKE_CURRENT_LIST_DIR}/rondo.map)
    target_link_options(rondo PRIVATE -Wl,--version-script=${exports})
    # A bit instead of three words for most addresses that are fixed when the library is loaded.
    include(CheckLinkerFlag)
    check_linker_flag(CXX -Wl,-z,pack-relative-relocs RONDO_LINKER_PACKS_RELOCATIONS)
    if(RONDO_LINKER_PACKS_RELOCATIONS)
        target_link_options(rondo PRIVATE -Wl,-z,pack-relative-relocs)
    endif()
    set_target_properties(rondo PROPERTIES LINK_DEPENDS ${exports})
    # TBB's threads may outlive all models; dlclose() would take their code from under them.
    target_link_options(rondo PRIVATE -Wl,-z,nodelete)
endif()

# The library for tests: the same objects, with all symbols visible to the linker.
add_library(rondo_internal STATIC EXCLUDE_FROM_ALL ${objects})
target_link_libraries(rondo_internal PUBLIC ${packages})
set_target_properties(rondo_internal PROPERTIES LINKER_LANGUAGE CXX)
# Before a program's own objects: of functions that both have, std::string's above all, the linker
# takes the first, and those of the tests aren't optimised.
target_link_options(rondo_internal INTERFACE
    LINKER:--whole-archive,$<TARGET_FILE:rondo_internal>,--no-whole-archive)
