#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# without_ffmpeg.sh BUILD_DIR README_PROGRAM: libweir-capture configures, builds and installs where FFmpeg is not, and
# brings none of its libraries into a program; a movie is refused by name of the option; and what the callback sink
# hands to a program are the packets of the movie that a libweir-capture with FFmpeg writes of the same frames.
set -euo pipefail
work=$1/tests/without_ffmpeg readme=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
rm -rf "$work"
mkdir -p "$work/pkgconfig" "$work/run"
fail() { echo "$*"; exit 1; }
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
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
cmake -S "$root" -B "$build" -G Ninja -DWEIR_CAPTURE=ON -DWEIR_WITH_FFMPEG=OFF -DWEIR_SAMPLES=OFF -DWEIR_TESTS=OFF \
    -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_SKIP_INSTALL_RPATH=OFF >/dev/null
cmake --build "$build" --parallel 1 >"$work/build.log" || { cat "$work/build.log"; exit 1; }
cmake --install "$build" --prefix "$work/prefix" >/dev/null
libdir=$(dirname "$(find "$work/prefix" -name libweir-capture.so)")
[ ! -e "$work/prefix/bin/weir" ] || fail "the program weir is installed, which needs FFmpeg"

# What each of the two libraries needs: without FFmpeg nothing of it, with FFmpeg libavformat and what that hands out.
expect_no_libav "libweir-capture.so" "$(ldd "$libdir/libweir-capture.so")"
without=$(needed "$libdir/libweir-capture.so" | sed 's/\.so.*//' | sort | tr '\n' ' ')
with=$(needed "$1/lib/libweir-capture.so" | sed 's/\.so.*//' | sort | tr '\n' ' ')
echo "needed without FFmpeg: $without"
echo "needed with FFmpeg: $with"
[ "$without" = "libc libm libpng16 libweir " ] || fail "libweir-capture needs other libraries without FFmpeg"
[ "$with" = "libavformat libavutil libc libm libpng16 libweir " ] ||
    fail "libweir-capture needs other libraries with FFmpeg"
echo "loaded: $(ldd "$libdir/libweir-capture.so" | wc -l) libraries, and $(ldd "$1/lib/libweir-capture.so" | wc -l) with FFmpeg"

# Programs by pkg-config, with the shared and the static libraries, and by find_package.
export PKG_CONFIG_LIBDIR=$libdir/pkgconfig:$work/pkgconfig
expect_no_libav "weir-capture.pc" "$(cat "$libdir/pkgconfig/weir-capture.pc")"
host=$here/../host
sources=(-D_POSIX_C_SOURCE=200809L "$here/main.c" "$host/engine.c" "$host/features.c" "$host/import.c" -I"$host")
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$work/shared" "${sources[@]}" \
    $(pkg-config --cflags --libs weir-capture weir-device) -lvulkan
cc -std=c11 -o "$work/static" "${sources[@]}" \
    $(pkg-config --static --cflags --libs weir-capture weir-device | sed -E 's/-l(weir[a-z-]*)/-l:lib\1.a/g')
! readelf -d "$work/static" | grep -q 'NEEDED.*libweir' || fail "the static program needs a shared libweir"
mkdir "$work/find_package"
cat >"$work/find_package/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(engine C)
find_package(weir 0.1 REQUIRED COMPONENTS device capture)
find_package(Vulkan REQUIRED)
add_executable(engine $here/main.c $host/engine.c $host/features.c $host/import.c)
target_include_directories(engine PRIVATE $host)
target_compile_definitions(engine PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(engine PRIVATE weir::capture weir::device Vulkan::Vulkan)
CMAKE
cmake -S "$work/find_package" -B "$work/find_package/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/find_package/build" >/dev/null
for program in "$work/shared" "$work/static" "$work/find_package/build/engine"; do
    expect_no_libav "$program" "$(ldd "$program" | grep -v libvulkan)"
done

cd "$work/run"
"$readme" || exit $? # 77: no Vulkan device
ffmpeg -nostdin -v error -i movie-1.mov -map 0:v -c copy -f data expected.bin
for program in "$work/shared" "$work/static" "$work/find_package/build/engine"; do
    rm -f packets.bin hashes.txt
    "$program" >log.txt 2>&1 || fail "$program fails: $(cat log.txt)"
    grep -qx "sink 0: WEIR_ERROR_UNSUPPORTED" log.txt || fail "a movie is not refused: $(cat log.txt)"
    grep -q "WEIR_WITH_FFMPEG=ON" log.txt || fail "the error does not name the option: $(cat log.txt)"
    [ ! -e refused.mov ] || fail "a refused movie leaves a file"
    grep -qx "track HapY 320x180, time base 1/90000, 60/1 frames a second" log.txt || fail "$(cat log.txt)"
    [ "$(grep -c '^packet at .*, key$' log.txt)" = 12 ] || fail "not 12 packets: $(cat log.txt)"
    cmp packets.bin expected.bin || fail "the packets are not those of the movie"
    [ "$(wc -l <hashes.txt)" = 8 ] || fail "not 8 hashes: $(cat hashes.txt)"
done
