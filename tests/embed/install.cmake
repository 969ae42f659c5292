# Installs both builds of the library under SCRATCH, and moves them: any prefix must work.
file(REMOVE_RECURSE ${SCRATCH})
foreach(pair "shared;rondo" "shared;development" "static;static_twin")
    list(GET pair 0 name)
    list(GET pair 1 component)
    execute_process(
        COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/first/${name}
                --component ${component}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(name shared static)
    file(RENAME ${SCRATCH}/first/${name} ${SCRATCH}/${name})
endforeach()
