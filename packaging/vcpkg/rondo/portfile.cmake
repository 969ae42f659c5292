# An overlay port that builds the tree it lies in; README.md beside this folder says how to use it.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic SHARED)
vcpkg_check_features(OUT_FEATURE_OPTIONS options
    FEATURES onnx RONDO_ONNX tools RONDO_TOOLS)
if("onnx" IN_LIST FEATURES)
    list(APPEND options "-DRONDO_ONNX_PROTO_DIR=$ENV{RONDO_ONNX_PROTO_DIR}")
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
    -DBUILD_SHARED_LIBS=${SHARED} -DRONDO_TESTS=OFF -DRONDO_INSTALL=ON ${options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME rondo CONFIG_PATH lib/cmake/rondo)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES rondo AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
