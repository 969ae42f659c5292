# Makes the .deb and checks its files and dependencies.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CPACK} --config ${CONFIG} -G DEB -B ${FOLDER}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${FOLDER}/*.deb)

function(expect text pattern)
    if(NOT text MATCHES "${pattern}")
        message(FATAL_ERROR "${package}: no '${pattern}' in\n${text}")
    endif()
endfunction()

execute_process(COMMAND dpkg-deb --field ${package}
    OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
expect("${fields}" "Package: rondo")
expect("${fields}" "Depends: [^\n]*libpugixml")
expect("${fields}" "Depends: [^\n]*libtbb")
if(ONNX)
    expect("${fields}" "Depends: [^\n]*libprotobuf-lite")
endif()

execute_process(COMMAND dpkg-deb --contents ${package}
    OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/rondo include/rondo/rondo.h include/rondo/rondo.hpp
        "[^ ]*librondo.so.[0-9.]+" "[^ ]*rondo-config.cmake" "[^ ]*rondo.pc")
    expect("${contents}" "/usr/${file}")
endforeach()
if(contents MATCHES "gtest|pugixml|/core/|\\.a\n")
    message(FATAL_ERROR "${package} holds what it shouldn't:\n${contents}")
endif()
