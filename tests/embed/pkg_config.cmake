# Builds the hello examples and a program that needs every part with only a compiler and pkg-config,
# and runs them.
file(GLOB folder ${PREFIX}/lib*/pkgconfig ${PREFIX}/lib/*/pkgconfig)
set(ENV{PKG_CONFIG_PATH} ${folder})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs rondo
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PKG_CONFIG} --variable=libdir rondo
    OUTPUT_VARIABLE libdir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(ARGUMENTS UNIX_COMMAND "${ARGUMENTS}")
separate_arguments(MODELS UNIX_COMMAND "${MODELS}")

file(MAKE_DIRECTORY ${BUILD})
function(build compiler source program)
    execute_process(
        COMMAND ${compiler} ${ARGN} ${source} -o ${BUILD}/${program} ${flags} -Wl,-rpath,${libdir}
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()
build(${CXX} ${EXAMPLES}/hello_cpp/hello.cpp hello_cpp -std=c++17)
build(${C} ${EXAMPLES}/hello_c/hello.c hello_c -std=c99 -pedantic -Werror)
build(${CXX} ${CMAKE_CURRENT_LIST_DIR}/everything/everything.cpp everything -std=c++17)
foreach(program hello_cpp hello_c)
    execute_process(COMMAND ${BUILD}/${program} ${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${BUILD}/everything ${MODELS} COMMAND_ERROR_IS_FATAL ANY)
