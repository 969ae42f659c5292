# Rules for `cmake --install` and `cpack -G DEB`: headers, library, CMake package, pkg-config, tool.
include(CMakePackageConfigHelpers)

# Configures rondo.pc into `folder`: paths relative to the file itself, so that a prefix may move.
function(rondo_configure_pkg_config folder shared)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
        set(pc_prefix ${CMAKE_INSTALL_PREFIX})
        set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
        set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
    else()
        file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
        string(REGEX REPLACE "/$" "" up "${up}")
        set(pc_prefix "\${pcfiledir}/${up}")
        set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
        set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
    endif()
    if(NOT shared)
        set(pc_requires "pugixml tbb")
        if(RONDO_ONNX)
            string(APPEND pc_requires " protobuf-lite")
        endif()
        set(pc_libs " -lstdc++ -lm -ldl -pthread")  # a C program's linker knows none of them
    endif()
    configure_file(${rondo_SOURCE_DIR}/cmake/rondo.pc.in ${folder}/rondo.pc @ONLY)
endfunction()

# rondo_install_package(TARGET COMPONENT DEVELOPMENT [EXCLUDE_FROM_ALL])
# Installs one build of the library: what programs run with under COMPONENT; headers, static library,
# CMake package and pkg-config file under DEVELOPMENT. There are two builds, since the tests also
# install a static version of the shared library.
function(rondo_install_package target component development)
    set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/package-${component})
    get_target_property(type ${target} TYPE)
    string(COMPARE EQUAL "${type}" "SHARED_LIBRARY" rondo_shared)

    configure_package_config_file(${rondo_SOURCE_DIR}/cmake/rondo-config.cmake.in
        ${folder}/rondo-config.cmake INSTALL_DESTINATION ${package_dir})
    # Before 1.0 a minor version may change the C++ API.
    write_basic_package_version_file(${folder}/rondo-config-version.cmake
        VERSION ${rondo_VERSION} COMPATIBILITY SameMinorVersion)
    rondo_configure_pkg_config(${folder} ${rondo_shared})

    set_target_properties(${target} PROPERTIES EXPORT_NAME rondo)
    install(TARGETS ${target} EXPORT rondo-${component}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
            NAMELINK_COMPONENT ${development} ${ARGN}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${development} ${ARGN})
    install(EXPORT rondo-${component} FILE rondo-targets.cmake NAMESPACE rondo::
        DESTINATION ${package_dir} COMPONENT ${development} ${ARGN})
    if(rondo_shared)  # rondo_DIR=<this folder> finds what was built, without installing it
        export(EXPORT rondo-${component} FILE ${folder}/rondo-targets.cmake NAMESPACE rondo::)
    endif()
    install(FILES ${folder}/rondo-config.cmake ${folder}/rondo-config-version.cmake
        DESTINATION ${package_dir} COMPONENT ${development} ${ARGN})
    install(FILES ${folder}/rondo.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${development} ${ARGN})
    install(DIRECTORY
        ${rondo_SOURCE_DIR}/core/include/rondo ${rondo_SOURCE_DIR}/bindings/c/include/rondo
        ${rondo_SOURCE_DIR}/bindings/openvino/include/rondo
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${development} ${ARGN})
endfunction()

rondo_install_package(rondo rondo development)
install(FILES LICENSE NOTICE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT rondo)
# Debian's place for licences.
install(FILES NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT rondo)
install(FILES NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/rondo-dev RENAME copyright
    COMPONENT development)

if(RONDO_TOOLS)
    # The tool finds the library by a relative path, so that the prefix may be moved.
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(rondo_command PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
    install(TARGETS rondo_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT rondo)
    install(FILES tools/completions/rondo.bash RENAME rondo COMPONENT rondo
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES tools/completions/_rondo COMPONENT rondo
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

# Two packages: rondo, and rondo-dev with what programs are built with.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL rondo development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_RONDO_PACKAGE_NAME rondo)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME rondo-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "rondo (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_RONDO_DESCRIPTION "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "${PROJECT_DESCRIPTION}: headers, CMake package and pkg-config file")
set(CPACK_PACKAGE_CONTACT "The Rondo developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
