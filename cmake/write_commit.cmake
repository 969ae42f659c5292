# Writes HEADER, which defines RONDO_COMMIT: the given COMMIT, or that of the git tree at SOURCE with
# "-changed" behind it where files differ, or "unknown". An equal file stays as it is.
cmake_minimum_required(VERSION 3.25)
if(NOT COMMIT AND GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=10 --dirty=-changed
            --exclude=*
        OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
    set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "// The commit that is built.\n#define RONDO_COMMIT \"@COMMIT@\"\n"
    @ONLY)
