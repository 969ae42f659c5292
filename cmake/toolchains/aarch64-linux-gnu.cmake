# Cross-compiles for 64-bit Arm with Debian's g++-aarch64-linux-gnu, and runs programs with its
# qemu-user. RONDO_AARCH64_PACKAGES names a folder with the unpacked arm64 packages of what Rondo
# links (tools/test_aarch64.sh makes it); without one they must be installed (libtbb-dev:arm64, ...).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# The C library is that of the cross compiler. Its loader is where -L says.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

# CMake runs this file again for each program that tries the compiler.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RONDO_AARCH64_PACKAGES)
if(RONDO_AARCH64_PACKAGES)
    list(APPEND CMAKE_PREFIX_PATH ${RONDO_AARCH64_PACKAGES}/usr)
endif()
# Headers alone (CLI11, JSON) and onnx.proto are those of this machine; protoc runs on it.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
