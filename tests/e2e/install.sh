#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh BUILD_DIR: installs into a folder of the build, moves it, and builds install.c against it with
# pkg-config and with find_package, against the shared and against the static libraries; and a kernel of the
# user's own against the installed GLSL.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/install
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }

# Moved after the installation: nothing in it may name the place that it was made for.
cmake --install "$build" --prefix "$work/first" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/first" "$work/prefix"
prefix=$work/prefix
grep -rlI --include=*.pc --include=*.cmake -e "$work/first" -e "$here" "$prefix" &&
    fail "these installed files name folders of the build"
libdir=$(dirname "$(find "$prefix" -name libweir.so)")
export LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig

num_headers=$(find "$prefix/include/weir" -name '*.h' | wc -l)
[ "$num_headers" = "$(find "$here/../../src/include/weir" -name '*.h' | wc -l)" ] ||
    fail "$num_headers headers are installed, not all of src/include/weir"
needed=$(readelf -d "$libdir/libweir.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^lib(c|m)\.so|^ld-') || true
[ -z "$needed" ] || fail "libweir.so needs $needed: it must need nothing but the C library"

# The kernel is one of the tests', from a folder without anything else.
glsl=$(pkg-config --variable=glsldir weir)
mkdir "$work/kernel"
cp "$here/../gpu/shaders/custom_user.comp" "$work/kernel"
(cd "$work/kernel" && glslc --target-env=vulkan1.2 -Werror -I"$glsl" custom_user.comp -o custom_user.spv &&
    spirv-val --target-env vulkan1.2 custom_user.spv) || fail "a kernel does not compile with -I$glsl"

num_skipped=0
run() { # WHAT PROGRAM
    local status=0
    echo "== $1"
    "$2" || status=$?
    [ $status = 77 ] && num_skipped=$((num_skipped + 1)) && return
    [ $status = 0 ] || fail "$1: the program exits with $status"
}
cflags=(-std=c11 -Wall -Wextra -Wpedantic -Werror "$here/install.c")
read -ra flags < <(pkg-config --cflags --libs weir-capture weir-device)
cc "${cflags[@]}" -o "$work/shared" "${flags[@]}"
run "pkg-config, shared" "$work/shared"
read -ra flags < <(pkg-config --static --cflags --libs weir-capture weir-device | sed -E 's/-l(weir[a-z-]*)/-l:lib\1.a/g')
cc "${cflags[@]}" -o "$work/static" "${flags[@]}"
readelf -d "$work/static" | grep -q 'NEEDED.*libweir' && fail "the static program needs a shared libweir"
run "pkg-config, static" "$work/static"

mkdir "$work/find_package"
cat >"$work/find_package/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(weir 0.1 REQUIRED COMPONENTS device capture)
if(NOT EXISTS \${weir_GLSL_DIR}/weir/pyramid_custom.glsl)
  message(FATAL_ERROR "weir_GLSL_DIR is \${weir_GLSL_DIR}")
endif()
add_executable(with_static $here/install.c)
target_link_libraries(with_static PRIVATE weir::capture weir::device)
add_executable(with_shared $here/install.c)
target_link_libraries(with_shared PRIVATE weir::capture-shared weir::device-shared weir::weir-shared)
CMAKE
cmake -S "$work/find_package" -B "$work/find_package/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/find_package/build" >/dev/null
run "find_package, static" "$work/find_package/build/with_static"
run "find_package, shared" "$work/find_package/build/with_shared"

"$prefix/bin/weir" --help >/dev/null || fail "the installed program weir does not run"
[ $num_skipped = 0 ] || { echo "skipped: no Vulkan device to run the programs on"; exit 77; }
