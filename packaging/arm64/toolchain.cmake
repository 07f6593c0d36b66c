# For arm64 on another machine, with Debian's cross compiler and arm64 libraries:
#   cmake -S . -B build/arm64 -DCMAKE_TOOLCHAIN_FILE=packaging/arm64/toolchain.cmake
# packaging/arm64/inside runs that, or any other command, where these are.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(PKG_CONFIG_EXECUTABLE /usr/bin/aarch64-linux-gnu-pkg-config)
# What is built runs by it: the binary for cmake --install, and one of CMake's questions.
find_program(ROCECTL_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
if(ROCECTL_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${ROCECTL_EMULATOR}")
endif()
