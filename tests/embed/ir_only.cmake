# Builds and installs the library without ONNX as a package maintainer would, and checks it.
# Arguments: SOURCE, SCRATCH, LIBDIR, GENERATOR, C, CXX, LAUNCHER, PYTHON, SONAME, MODEL.
set(prefix ${SCRATCH}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(compilers -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G ${GENERATOR} ${compilers}
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=${LIBDIR}
    -DRONDO_ONNX=OFF -DRONDO_TESTS=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON -DCMAKE_DISABLE_FIND_PACKAGE_ONNX=ON)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${CMAKE_COMMAND} --install ${SCRATCH}/build --prefix ${prefix} --strip)
run(${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/check_library.py ${prefix}/${LIBDIR}/librondo.so
    --most-megabytes 3 --soname ${SONAME} --never-needs protobuf)

foreach(project find_package everything)
    run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${project} -B ${SCRATCH}/${project}
        -G ${GENERATOR} ${compilers} -DCMAKE_PREFIX_PATH=${prefix} -DRONDO_EXPECT_ONNX=OFF)
    run(${CMAKE_COMMAND} --build ${SCRATCH}/${project})
endforeach()
run(${SCRATCH}/find_package/catches_errors ${MODEL})
run(${SCRATCH}/everything/everything ${MODEL} without-onnx)
run(${prefix}/bin/rondo info ${MODEL})
