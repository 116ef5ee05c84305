#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# capture_only.sh BUILD_DIR README_PROGRAM: libweir-capture configures, builds and installs where FFmpeg is not. A program
# that links it loads no library of FFmpeg's, and writes the movies that README_PROGRAM writes.
set -euo pipefail
work=$1/tests/capture_only readme=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/pkgconfig" "$work/run"
fail() { echo "$*"; exit 1; }
expect_no_libav() { # WHAT TEXT
    ! grep -E 'libav|libsw|lav|lsw' <<<"$2" || fail "$1 names libraries of FFmpeg"
}

# pkg-config finds these packages only: for CMake the machine has no FFmpeg.
for package in libpng libpng16 zlib vulkan; do
    ln -s "$(pkg-config --variable=pcfiledir $package)/$package.pc" "$work/pkgconfig"
done
export PKG_CONFIG_LIBDIR=$work/pkgconfig PKG_CONFIG_PATH=
! pkg-config --exists libavformat || fail "FFmpeg is not hidden: this test shows nothing"
# In the folder of e2e_core_only, which has built the core in the same way, and has nothing of FFmpeg's either.
build=$1/tests/core_only/build
cmake -S "$here/../.." -B "$build" -G Ninja -DWEIR_CAPTURE=ON -DWEIR_PROGRAM=OFF -DWEIR_SAMPLES=OFF -DWEIR_TESTS=OFF \
    -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_SKIP_INSTALL_RPATH=OFF >/dev/null
cmake --build "$build" --parallel 1 >"$work/build.log" || { cat "$work/build.log"; exit 1; }
cmake --install "$build" --prefix "$work/prefix" >/dev/null
libdir=$(dirname "$(find "$work/prefix" -name libweir-capture.so)")
[ ! -e "$work/prefix/bin/weir" ] || fail "the program weir is installed, which needs FFmpeg"
expect_no_libav "libweir-capture.so" "$(ldd "$libdir/libweir-capture.so" "$1/lib/libweir-capture.so")"

# By pkg-config, with the shared and the static libraries.
export PKG_CONFIG_LIBDIR=$libdir/pkgconfig:$work/pkgconfig
expect_no_libav "weir-capture.pc" "$(cat "$libdir/pkgconfig/weir-capture.pc")"
host=$here/host
sources=(-std=c11 -D_POSIX_C_SOURCE=200809L -I"$host" "$here/readme/main.c" "$here/readme/record.c" "$host/engine.c"
    "$host/features.c")
cc -o "$work/shared" "${sources[@]}" $(pkg-config --cflags --libs weir-capture) -lvulkan
cc -o "$work/static" "${sources[@]}" \
    $(pkg-config --static --cflags --libs weir-capture | sed -E 's/-l(weir[a-z-]*)/-l:lib\1.a/g') -lvulkan
! grep -q 'NEEDED.*libweir' <<<"$(readelf -d "$work/static")" || fail "the static program needs a shared libweir"
cd "$work/run"
for program in "$readme" "$work/shared" "$work/static"; do
    expect_no_libav "$program" "$(ldd "$program" | grep -v libvulkan)"
    mkdir "${program##*/}"
    (cd "${program##*/}" && "$program" >log.txt 2>&1) || exit $? # 77: no Vulkan device
done
for movie in movie-1.mov movie-2.mov; do
    for program in shared static; do
        cmp "${readme##*/}/$movie" "$program/$movie" || fail "the movies differ"
    done
done
