# Looks for all packages that the chosen options need, and names those that are missing in one
# message with the line that installs them. The folders that use a package find it once more.

set(missing_packages "")
set(missing_debian "")

# rondo_need: a package, those of Debian that have it, and options of find_package().
macro(rondo_need package debian)
    find_package(${package} QUIET ${ARGN})
    if(NOT ${package}_FOUND)
        list(APPEND missing_packages ${package})
        list(APPEND missing_debian ${debian})
    endif()
endmacro()

rondo_need(pugixml libpugixml-dev)
rondo_need(TBB libtbb-dev)
if(RONDO_JIT)
    rondo_need(xbyak libxbyak-dev CONFIG)
endif()
if(RONDO_ONNX)
    rondo_need(Protobuf libprotobuf-dev)
    if(Protobuf_FOUND AND NOT TARGET protobuf::protoc)
        list(APPEND missing_packages protoc)
        list(APPEND missing_debian protobuf-compiler)
    endif()
    find_path(RONDO_ONNX_PROTO_DIR onnx/onnx.proto DOC "The folder that holds onnx/onnx.proto")
    if(NOT RONDO_ONNX_PROTO_DIR)
        list(APPEND missing_packages onnx/onnx.proto)
        list(APPEND missing_debian libonnx-dev)
    endif()
    mark_as_advanced(RONDO_ONNX_PROTO_DIR)
endif()
if(RONDO_TOOLS)
    rondo_need(CLI11 libcli11-dev)
endif()
if(RONDO_TOOLS OR RONDO_TRITON OR RONDO_TESTS)
    rondo_need(nlohmann_json nlohmann-json3-dev)
endif()
if(RONDO_TESTS)
    rondo_need(GTest "libgtest-dev libgmock-dev")
endif()
# pip brings a pybind11 of its own. The package itself must be found after Python.
if(RONDO_PYTHON AND NOT DEFINED SKBUILD AND NOT pybind11_DIR)
    find_path(RONDO_PYBIND11_DIR pybind11/pybind11.h DOC "The folder that holds pybind11/")
    mark_as_advanced(RONDO_PYBIND11_DIR)
    if(NOT RONDO_PYBIND11_DIR)
        list(APPEND missing_packages pybind11)
        list(APPEND missing_debian "pybind11-dev python3-dev")
    endif()
endif()
if(RONDO_BENCH)
    rondo_need(benchmark libbenchmark-dev)
endif()

if(missing_packages)
    list(JOIN missing_packages ", " names)
    list(JOIN missing_debian " " debian)
    message(FATAL_ERROR "Rondo needs packages that were not found: ${names}.\n"
        "On Debian and Ubuntu: apt-get install ${debian}\n"
        "Elsewhere set CMAKE_PREFIX_PATH to where they are. RONDO_ONNX_PROTO_DIR names the folder "
        "of onnx/onnx.proto; -DRONDO_ONNX=OFF builds without ONNX, -DRONDO_TOOLS=OFF without the "
        "command.")
endif()
