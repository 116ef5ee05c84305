# SPDX-License-Identifier: MIT
# Debian on WEIR_ARCHITECTURE, arm64 or i386. Its headers and libraries are in a root folder that ./dev ARCHITECTURE setup
# makes.
set(WEIR_ARCHITECTURE arm64 CACHE STRING "What is built for, by Debian's name")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEIR_ARCHITECTURE)
set(CMAKE_SYSTEM_NAME Linux)
get_filename_component(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../../build-${WEIR_ARCHITECTURE}/root ABSOLUTE)
if(WEIR_ARCHITECTURE STREQUAL arm64)
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
  set(CMAKE_C_FLAGS_INIT -fno-tree-loop-vectorize) # which in GCC 12.2 ends in an internal error, for some tests
else()
  set(CMAKE_SYSTEM_PROCESSOR i686)
  set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
  # Floats are rounded after each operation. A note says of each 64-bit atomic that GCC 11 aligns it.
  set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse -Wno-psabi")
  set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
endif()
set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "As Debian has it")
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-g++)
set(WEIR_LLD OFF CACHE STRING "These compilers do not find it")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
