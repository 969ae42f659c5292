# Copies the libraries that LIBRARY needs and bare systems lack to FOLDER, under the names that are
# looked for: cmake -DLIBRARY=... -DFOLDER=... -P bundle_libraries.cmake
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${LIBRARY} RESOLVED_DEPENDENCIES_VAR found
    UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_INCLUDE_REGEXES "^lib(absl_|protobuf|pugixml|tbb|utf8_)" PRE_EXCLUDE_REGEXES ".*")
if(missing)
    message(FATAL_ERROR "${LIBRARY}: no library ${missing} is found on this machine")
endif()
foreach(library IN LISTS found)
    get_filename_component(name ${library} NAME)
    file(REAL_PATH ${library} file)  # wheels hold no links
    file(MAKE_DIRECTORY ${FOLDER})
    file(COPY_FILE ${file} ${FOLDER}/${name})
    message(STATUS "In the wheel: ${name}")
endforeach()
