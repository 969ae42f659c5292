# Renames the libraries beside libtriton_rondo.so in FOLDER, and their symbols, if PYTHON and a PATCHELF
# that can do so are there: cmake -DFOLDER=... -DPYTHON=... -DPATCHELF=... -P hide_libraries.cmake
set(help "")
if(PATCHELF AND PYTHON)
    execute_process(COMMAND ${PATCHELF} --help OUTPUT_VARIABLE help ERROR_VARIABLE help)
endif()
if(help MATCHES "--rename-dynamic-symbols")
    get_filename_component(programs ${PATCHELF} DIRECTORY)
    execute_process(COMMAND_ERROR_IS_FATAL ANY
        COMMAND ${CMAKE_COMMAND} -E env "PATH=${programs}:$ENV{PATH}"
            ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/../../tools/wheel/hide_symbols.py
            ${FOLDER} libtriton_rondo.so)
else()
    message(WARNING "There is no patchelf 0.17 or newer (RONDO_PATCHELF): the libraries beside "
        "libtriton_rondo.so keep their names. If another backend brings one of the same name and "
        "another version, the server uses the first for both.")
endif()
