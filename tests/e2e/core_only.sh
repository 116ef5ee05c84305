#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# core_only.sh BUILD_DIR: the core configures, builds and installs where FFmpeg, libpng and GLFW are not.
set -euo pipefail
work=$1/tests/core_only
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work"
mkdir -p "$work/no-pkgconfig"
fail() { echo "$*"; exit 1; }

# pkg-config finds the .pc files of this empty folder only: for CMake the machine has no FFmpeg.
export PKG_CONFIG_LIBDIR=$work/no-pkgconfig PKG_CONFIG_PATH=
pkg-config --exists libavformat && fail "FFmpeg is not hidden: this test shows nothing"
# With the flags of ./dev package: e2e_capture_only and e2e_package add to this folder what is not here. The packages will
# not be compressed, which takes long.
cd "$root"
if command -v dpkg-buildflags >/dev/null; then
    CFLAGS=$(dpkg-buildflags --get CFLAGS) LDFLAGS=$(dpkg-buildflags --get LDFLAGS)
    export CFLAGS LDFLAGS
fi
cmake --preset package --no-warn-unused-cli -B "$work/build" -DWEIR_CAPTURE=OFF -DCMAKE_INSTALL_PREFIX=/usr/local \
    -DCMAKE_SKIP_INSTALL_RPATH=OFF -DCPACK_DEBIAN_COMPRESSION_TYPE=none >/dev/null
cmake --build "$work/build" --parallel 1 >"$work/build.log" || { cat "$work/build.log"; exit 1; }
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
[ -z "$(find "$work/prefix" -name '*capture*.[hsa]*' -o -name '*capture*.pc' | grep -v /doc/)" ] ||
    fail "a core without capture installs parts of it"

mkdir "$work/user"
cat >"$work/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(weir 0.1 REQUIRED COMPONENTS core device)
add_executable(user user.c)
target_link_libraries(user PRIVATE weir::weir)
find_package(weir 0.1 QUIET COMPONENTS capture)
if(weir_FOUND)
  message(FATAL_ERROR "a core without capture claims to have it")
endif()
CMAKE
cat >"$work/user/user.c" <<'C'
#include <weir/weir.h>
int main(void) { return weir_codec_image_size(WEIR_CODEC_DEFAULT, 1, 1) != 16; }
C
cmake -S "$work/user" -B "$work/user/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/user/build" >/dev/null
"$work/user/build/user" || fail "the program gives a wrong size"
