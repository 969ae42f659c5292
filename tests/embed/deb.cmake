# Makes both .deb files and checks their files and dependencies.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CPACK} --config ${CONFIG} -G DEB -B ${FOLDER}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

function(expect text pattern)
    if(NOT text MATCHES "${pattern}")
        message(FATAL_ERROR "${package}: no '${pattern}' in\n${text}")
    endif()
endfunction()

function(expect_not text pattern)
    if(text MATCHES "${pattern}")
        message(FATAL_ERROR "${package}: '${pattern}' is in\n${text}")
    endif()
endfunction()

# Sets fields and contents.
macro(read_package name)
    file(GLOB package ${FOLDER}/${name}_*.deb)
    execute_process(COMMAND dpkg-deb --field ${package}
        OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND dpkg-deb --contents ${package}
        OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
    expect("${fields}" "Package: ${name}\n")
    expect("${contents}" "/usr/share/doc/${name}/copyright")
    expect_not("${contents}" "gtest|pugixml|/core/|\\.a\n")
endmacro()

read_package(rondo)
expect("${fields}" "Depends: [^\n]*libpugixml")
expect("${fields}" "Depends: [^\n]*libtbb")
if(ONNX)
    expect("${fields}" "Depends: [^\n]*libprotobuf-lite")
endif()
foreach(file bin/rondo "[^ ]*librondo.so.[0-9.]+" "[^ ]*completions/rondo" "[^ ]*/_rondo"
        share/doc/rondo/NOTICE)
    expect("${contents}" "/usr/${file}")
endforeach()
expect_not("${contents}" "include/|cmake|rondo\\.pc|librondo\\.so[ \n]")

read_package(rondo-dev)
expect("${fields}" "Depends: rondo \\(= [0-9.]+\\)")
foreach(file include/rondo/rondo.h include/rondo/rondo.hpp "[^ ]*rondo-config.cmake"
        "[^ ]*rondo.pc" "[^ ]*librondo.so ->")
    expect("${contents}" "/usr/${file}")
endforeach()
expect_not("${contents}" "bin/rondo")
