# rondo_use_commit(TARGET SOURCE): SOURCE of TARGET may include <commit.hpp>, which defines RONDO_COMMIT.
# Git is asked at every build, so that it is never an old one.
set(RONDO_COMMIT "" CACHE STRING "The commit that `rondo --version` names; empty: git's")

function(rondo_use_commit target source)
    set(folder ${CMAKE_BINARY_DIR}/generated/commit)
    if(NOT TARGET rondo_commit)
        find_package(Git QUIET)
        add_custom_target(rondo_commit
            COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE}
                -DSOURCE=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.. -DCOMMIT=${RONDO_COMMIT}
                -DHEADER=${folder}/commit.hpp
                -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/write_commit.cmake
            BYPRODUCTS ${folder}/commit.hpp
            COMMENT "Asking git for the commit" VERBATIM)
    endif()
    add_dependencies(${target} rondo_commit)
    set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${folder}/commit.hpp)
    set_property(SOURCE ${source} APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})
endfunction()
