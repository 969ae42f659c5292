# Functions that make a target of each folder of the library and of its tests.

# The library shares compiled copies of the standard headers, the tests another with GoogleTest's, the
# graph's and their helpers': without them a fifth of the time to compile goes into reading headers.
# Compiler caches would have to be told of it, and without it (the preset dev) the compiler sees
# whether a file includes what it uses.
if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT PROJECT_IS_TOP_LEVEL)
    set(precompiles OFF)
else()
    set(precompiles ON)
endif()
option(RONDO_PCH "Precompile headers: the standard library's, GoogleTest's, pybind11's" ${precompiles})

option(RONDO_UNITY "Compile some files of a target together" ON)

add_library(rondo_options INTERFACE)
target_compile_features(rondo_options INTERFACE cxx_std_20)
# The order of fused multiply-adds is fixed: the compiler must not fuse or split any.
target_compile_options(rondo_options INTERFACE -Wall -Wextra -Wpedantic -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of nonexistent overlaps in "text" + std::string (GCC bug 105651).
    target_compile_options(rondo_options INTERFACE -Wno-restrict)
    if(RONDO_PCH)
        # Other forms of that bug, behind precompiled headers: they depend on the lengths of strings.
        target_compile_options(rondo_options INTERFACE
                               -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # std::stable_sort of libstdc++ 12 calls what C++17 deprecates; clang 19 says so of our lines.
    target_compile_options(rondo_options INTERFACE -Wno-deprecated-declarations)
endif()
if(RONDO_WERROR)
    target_compile_options(rondo_options INTERFACE -Werror)
endif()
if(RONDO_SANITIZE)
    # What a sanitizer reports ends the program: else tests would pass beside the reports.
    target_compile_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE})
    # libstdc++ checks indices, too.
    target_compile_definitions(rondo_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(RONDO_FUZZ)
    # libFuzzer needs the coverage of the library; only its targets link its main().
    target_compile_options(rondo_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(rondo_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Messages name source files by their path in the project: the same bytes from any folder.
set(rondo_plain_paths
    -ffile-prefix-map=${rondo_SOURCE_DIR}/= -ffile-prefix-map=${rondo_BINARY_DIR}/=)

# What all folders of the library are compiled with.
function(rondo_set_up_module target)
    set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ON
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        CXX_EXTENSIONS OFF)
    target_include_directories(${target} PRIVATE
        ${rondo_SOURCE_DIR} ${rondo_SOURCE_DIR}/core/include)
    target_compile_definitions(${target} PRIVATE RONDO_BUILDING)
    target_compile_options(${target} PRIVATE ${rondo_plain_paths})
    if(RONDO_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC inlines less in a large unit, and a unit of many files is one.
        target_compile_options(${target} PRIVATE --param=large-unit-insns=1000000)
    endif()
    target_link_libraries(${target} PRIVATE rondo_options)
endfunction()

# Code that runs while a model is read, compiled or planned is compiled for size: half the bytes.
set(rondo_for_size $<$<CONFIG:Release>:-Os>)

# Precompiled headers must have the same optimisation as what includes them.
if(RONDO_PCH)
    foreach(headers rondo_standard_headers rondo_standard_headers_small)
        add_library(${headers} OBJECT ${rondo_SOURCE_DIR}/cmake/no_code.cpp)
        rondo_set_up_module(${headers})
        target_precompile_headers(${headers} PRIVATE
            <algorithm> <cmath> <functional> <map> <memory> <optional> <set> <span> <string>
            <vector>)
    endforeach()
    target_compile_options(rondo_standard_headers_small PRIVATE ${rondo_for_size})
    # Most code that is compiled for size reads or changes graphs.
    target_precompile_headers(rondo_standard_headers_small PRIVATE
        ${rondo_SOURCE_DIR}/core/graph/graph.hpp ${rondo_SOURCE_DIR}/core/graph/infer_context.hpp)
endif()

# rondo_unite(TARGET [MOST count] [ACROSS_FOLDERS]): with RONDO_UNITY the target's files are compiled in
# units of at most 20 or `count`, since half the time to compile a file goes into its headers and into
# functions of theirs that its neighbours use, too. A unit's files are of one folder, unless
# ACROSS_FOLDERS is given. Their names must differ, even those that no other file sees.
function(rondo_unite target)
    if(NOT RONDO_UNITY)
        return()
    endif()
    cmake_parse_arguments(ARG "ACROSS_FOLDERS" "MOST" "" ${ARGN})
    set(most_files 20)
    if(ARG_MOST)
        set(most_files ${ARG_MOST})
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "\\$<")  # objects of other targets
    foreach(source IN LISTS sources)
        set(folder "")
        if(NOT ARG_ACROSS_FOLDERS)
            get_filename_component(folder ${source} DIRECTORY)
        endif()
        string(MAKE_C_IDENTIFIER "files_${folder}" folder)
        list(APPEND folders ${folder})
        list(APPEND of_${folder} ${source})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        list(LENGTH of_${folder} count)
        math(EXPR units "(${count} + ${most_files} - 1) / ${most_files}")
        set(at 0)
        foreach(source IN LISTS of_${folder})
            math(EXPR unit "${at} * ${units} / ${count}")
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
            math(EXPR at "${at} + 1")
        endforeach()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# rondo_module(NAME [SMALL] [ACROSS_FOLDERS] SOURCES file... [USES target...])
# A folder of the library, with those in it: object files that see the project's root and the installed
# headers. SMALL compiles for size; ACROSS_FOLDERS is rondo_unite()'s. USES lists the targets whose
# headers and packages these files may use; they aren't passed on.
function(rondo_module name)
    cmake_parse_arguments(ARG "SMALL;ACROSS_FOLDERS" "" "SOURCES;USES" ${ARGN})
    add_library(${name} OBJECT ${ARG_SOURCES})
    rondo_set_up_module(${name})
    set(across_folders "")
    if(ARG_ACROSS_FOLDERS)
        set(across_folders ACROSS_FOLDERS)
    endif()
    rondo_unite(${name} ${across_folders})
    target_link_libraries(${name} PRIVATE ${ARG_USES})
    set(headers rondo_standard_headers)
    if(ARG_SMALL)
        target_compile_options(${name} PRIVATE ${rondo_for_size})
        string(APPEND headers _small)
    endif()
    if(RONDO_PCH)
        target_precompile_headers(${name} REUSE_FROM ${headers})
    endif()
    set_property(GLOBAL APPEND PROPERTY RONDO_MODULES ${name})
    set_property(GLOBAL APPEND PROPERTY RONDO_PACKAGES ${ARG_USES})
endfunction()

# What all code of tests is compiled with.
function(rondo_set_up_test target)
    target_include_directories(${target} PRIVATE
        ${rondo_SOURCE_DIR} ${rondo_SOURCE_DIR}/core/include ${rondo_BINARY_DIR}/generated)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    # Tests call optimised code; their own code is compiled often and runs once.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
    target_link_libraries(${target} PRIVATE rondo_options GTest::gmock)
    if(NOT target STREQUAL "rondo_test_headers")
        rondo_unite(${target} MOST 30 ACROSS_FOLDERS)
        if(RONDO_PCH)
            target_precompile_headers(${target} REUSE_FROM rondo_test_headers)
        endif()
    endif()
endfunction()

# rondo_test_library(NAME [STATIC|OBJECT] file...): code that several programs of the tests share.
function(rondo_test_library name)
    add_library(${name} ${ARGN})
    rondo_set_up_test(${name})
endfunction()

# For a program that is made as users make theirs: the sanitizers must be in the program, too.
function(rondo_sanitize_program target)
    if(RONDO_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${RONDO_SANITIZE})
        target_link_options(${target} PRIVATE -fsanitize=${RONDO_SANITIZE})
    endif()
endfunction()

# What tests need in their environment: passes that don't settle are errors, as in debug builds; under
# the thread sanitizer, what it mustn't report.
set(rondo_test_environment RONDO_MUST_SETTLE=1)
if(RONDO_SANITIZE MATCHES "thread")
    set(tsan_options suppressions=${rondo_SOURCE_DIR}/tests/support/tsan.supp
        die_after_fork=0 allocator_may_return_null=1)
    list(JOIN tsan_options : tsan_options)
    list(APPEND rondo_test_environment TSAN_OPTIONS=${tsan_options})
endif()

# rondo_test_sources(NAME file...): files of this folder that belong to the program NAME of another,
# which calls rondo_test() behind this.
function(rondo_test_sources name)
    if(TARGET ${name})
        message(FATAL_ERROR "${name} is made already; expected rondo_test(${name}) behind its sources")
    endif()
    set_property(GLOBAL APPEND PROPERTY RONDO_NAMED_TESTS ${name})
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL APPEND PROPERTY RONDO_SOURCES_OF_${name} ${ARGN})
endfunction()

# rondo_test(NAME [SOURCES file...] [SHARDS count] [LABELS label...] [USES target...])
# A GoogleTest program that sees the library's insides. Its cases are dealt out to `count` entries of
# ctest, which run side by side (1 where it isn't given). GTEST_FILTER in ctest's environment chooses
# among the cases of all entries.
function(rondo_test name)
    cmake_parse_arguments(ARG "" "SHARDS" "SOURCES;LABELS;USES" ${ARGN})
    get_property(sources GLOBAL PROPERTY RONDO_SOURCES_OF_${name})
    add_executable(${name} ${ARG_SOURCES} ${sources})
    rondo_set_up_test(${name})
    target_link_libraries(${name} PRIVATE ${ARG_USES} rondo_internal GTest::gtest_main)
    if(NOT ARG_SHARDS)
        set(ARG_SHARDS 1)
    endif()
    set(limit 900)
    if(RONDO_SANITIZE OR CMAKE_CROSSCOMPILING_EMULATOR)
        set(limit 7200)
    endif()
    math(EXPR last "${ARG_SHARDS} - 1")
    foreach(shard RANGE ${last})
        set(entry ${name})
        if(ARG_SHARDS GREATER 1)
            string(APPEND entry .${shard})
        endif()
        add_test(NAME ${entry} COMMAND ${name} --gtest_brief=1)
        set_tests_properties(${entry} PROPERTIES TIMEOUT ${limit} LABELS "cases;${ARG_LABELS}"
            ENVIRONMENT "${rondo_test_environment};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
endfunction()

# A test of this name that ctest shows as skipped, with what is missing.
function(rondo_skipped_test name missing)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${missing} isn't installed")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# rondo_no_leaks(NAME PROGRAM [argument...])
# Runs a program of the tests under valgrind, which must find neither an error nor a leak. "Possibly
# lost" is the stack of a background thread that is just ending. RONDO_ISA is left to the program:
# valgrind shows it a processor without AVX-512.
function(rondo_no_leaks name program)
    if(RONDO_SANITIZE OR CMAKE_CROSSCOMPILING_EMULATOR)
        return()
    endif()
    find_program(VALGRIND valgrind)
    mark_as_advanced(VALGRIND)
    if(NOT VALGRIND)
        rondo_skipped_test(${name} valgrind)
        return()
    endif()
    add_test(NAME ${name}
        COMMAND ${VALGRIND} --quiet --error-exitcode=3 --leak-check=full --show-possibly-lost=no
            --errors-for-leak-kinds=definite,indirect $<TARGET_FILE:${program}> ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 600)
endfunction()
