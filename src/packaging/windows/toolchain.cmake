# SPDX-License-Identifier: MIT
# Windows on x86-64 by mingw-w64. Programs run under Wine. What they need from elsewhere is below build-windows/root, which
# ./dev windows setup makes.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix) # threads by winpthreads
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
# Without "..", which a second configuration would take out of all commands.
get_filename_component(WEIR_WINDOWS_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../../build-windows/root ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${WEIR_WINDOWS_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${WEIR_WINDOWS_ROOT}/lib/pkgconfig)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static) # no DLL of the compiler beside the programs
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
