# Checks that the version macros of the headers are the project's version.
set(version_header ${rondo_SOURCE_DIR}/core/include/rondo/version.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
file(READ ${version_header} version_text)
foreach(line "MAJOR ${PROJECT_VERSION_MAJOR}" "MINOR ${PROJECT_VERSION_MINOR}"
        "PATCH ${PROJECT_VERSION_PATCH}")
    if(NOT version_text MATCHES "#define RONDO_VERSION_${line}\n")
        message(FATAL_ERROR "${version_header} has no line '#define RONDO_VERSION_${line}': the "
            "version of CMakeLists.txt is ${PROJECT_VERSION}")
    endif()
endforeach()
if(NOT version_text MATCHES "#define RONDO_VERSION \"${PROJECT_VERSION}\"\n")
    message(FATAL_ERROR "${version_header} has no line "
        "'#define RONDO_VERSION \"${PROJECT_VERSION}\"'")
endif()
