#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh BUILD_DIR: installs into a folder of the build, moves it, and builds install.c against it with
# pkg-config and with find_package, against the shared and against the static libraries; the program of README.md
# as C and as C++; and a kernel of the user's own against the installed GLSL.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests/e2e}
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
export PKG_CONFIG_PATH=$libdir/pkgconfig # what ./dev install says; the flags have the way to the libraries
unset LD_LIBRARY_PATH

num_headers=$(find "$prefix/include/weir" -name '*.h' | wc -l)
[ "$num_headers" = "$(find "$here/../../src/include/weir" -name '*.h' | wc -l)" ] ||
    fail "$num_headers headers are installed, not all of src/include/weir"
needed=$(readelf -d "$libdir/libweir.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^lib(c|m)\.so|^ld-') || true
[ -z "$needed" ] || fail "libweir.so needs $needed: it must need nothing but the C library"

# The version of the API is in the names of the shared libraries, and in that of the function that every program
# calls first.
api=$(sed -n 's/^#define WEIR_API_VERSION //p' "$prefix/include/weir/macros.h")
for library in weir weir-device weir-capture weir-libav weir-play; do
    grep -qF "Library soname: [lib$library.so.$api]" <<<"$(readelf -d "$libdir/lib$library.so")" ||
        fail "the name of lib$library.so does not hold version $api of the API"
done
[ "$(nm -D --defined-only "$libdir/libweir.so" | awk '{ print $3 }' | grep -c '^weir_context_create')" = 1 ] &&
    grep -q " weir_context_create_v$api$" <<<"$(nm -D --defined-only "$libdir/libweir.so")" ||
    fail "libweir.so has another weir_context_create() than that of version $api"
read -ra flags < <(pkg-config --cflags --libs weir-capture weir-device)
mkdir "$work/other"
cp -r "$prefix/include/weir" "$work/other/weir"
sed -i "s/^#define WEIR_API_VERSION .*/#define WEIR_API_VERSION $((api + 1))/" "$work/other/weir/macros.h"
if said=$(cc -std=c11 -I"$work/other" -o "$work/other/program" "$here/install.c" "${flags[@]}" 2>&1); then
    fail "a program for version $((api + 1)) of the API links"
fi
grep -q "weir_context_create_v$((api + 1))" <<<"$said" || fail "the error does not name the version: $said"

# Nothing of tests or samples is built for an installation.
if [ -f "$build/build.ninja" ]; then
    built=$(ninja -C "$build" -t inputs weir-installed)
    grep -q 'libweir\.so' <<<"$built" || fail "the target weir-installed does not build libweir"
    ! sed "s,^$root/,," <<<"$built" | grep -E "(^|/)(tests|samples)/" || fail "weir-installed builds these"
fi

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
cc "${cflags[@]}" -o "$work/shared" "${flags[@]}"
run "pkg-config, shared" "$work/shared"
read -ra flags < <(pkg-config --static --cflags --libs weir-capture weir-device | sed -E 's/-l(weir[a-z-]*)/-l:lib\1.a/g')
cc "${cflags[@]}" -o "$work/static" "${flags[@]}"
grep -q 'NEEDED.*libweir' <<<"$(readelf -d "$work/static")" && fail "the static program needs a shared libweir"
run "pkg-config, static" "$work/static"

# The library beside them, which needs FFmpeg.
cat >"$work/libav.c" <<'PROGRAM'
#include <weir/libav.h>
int main(void)
{
    weir_libav *libav = 0;
    return weir_libav_create(weir_libav_params(.url = "pipe:1"), &libav) != WEIR_OK;
}
PROGRAM
cc -std=c11 -o "$work/libav" "$work/libav.c" $(pkg-config --cflags --libs weir-libav)
run "weir-libav, shared" "$work/libav"
cc -std=c11 -o "$work/libav" "$work/libav.c" $(pkg-config --cflags weir-libav) -l:libweir-libav.a \
    -l:libweir-capture.a -l:libweir.a $(pkg-config --libs libavformat libavcodec libavutil libpng) -lm -L"$libdir"
run "weir-libav, static" "$work/libav"

# The one that plays, and what its shaders include.
cat >"$work/play.c" <<'PROGRAM'
#include <weir/play.h>
int main(void)
{
    weir_play *play = 0;
    return weir_play_open(weir_play_params(.path = "clip.mov"), &play) != WEIR_ERROR_INVALID;
}
PROGRAM
cc -std=c11 -o "$work/play" "$work/play.c" $(pkg-config --cflags --libs weir-play)
run "weir-play, shared" "$work/play"
cc -std=c11 -o "$work/play" "$work/play.c" $(pkg-config --cflags weir-play) -l:libweir-play.a -l:libweir-device.a \
    -l:libweir-capture.a -l:libweir.a $(pkg-config --libs libpng vulkan) -lm -L"$libdir"
run "weir-play, static" "$work/play"
printf '%s\n' '#version 450' '#extension GL_GOOGLE_include_directive : require' '#include "weir/hap.glsl"' \
    'layout(binding = 0) uniform sampler2D first; layout(location = 0) out vec4 color;' \
    'void main() { color = weir_hap_sample(WEIR_HAP_YCOCG, first, first, gl_FragCoord.xy); }' >"$work/play.frag"
glslc --target-env=vulkan1.1 -I"$(pkg-config --variable=glsldir weir)" -o "$work/play.spv" "$work/play.frag"

# The program of the README, as it says: `cc main.c $(pkg-config ...)`. Of C++ it has two pairs of a standard and a compiler,
# and the next program the other two.
clang=$(command -v clang++ || echo g++)
for way in "c11 cc" "c++17 g++" "c++20 ${clang##*/}"; do
    read -r standard compiler <<<"$way"
    language=${standard%%[0-9]*} folder=$work/readme-$standard-$compiler
    mkdir "$folder"
    "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags weir-capture) \
        -I"$here/host" -c "$here/readme/record.c" -o "$folder/record.o"
    cc -std=c11 -D_POSIX_C_SOURCE=200809L -I"$here/host" -o "$folder/main" "$here/readme/main.c" "$here"/host/*.c \
        "$folder/record.o" $(pkg-config --cflags --libs weir-capture) -lvulkan
    cd "$folder"
    run "the README's program, $way" ./main
    cd - >/dev/null
    [ $num_skipped != 0 ] || [ "$(ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 \
        -show_entries stream=nb_read_frames "$folder/movie-2.mov")" = 8 ] || fail "$way: the movie has not 8 frames"
done

! grep -rnE '\]\((\.\./)?(src|shaders|samples|capture|tests)[/)]' "$prefix"/share/doc/weir --include=*.md ||
    fail "an installed page has links to sources, which are not installed"
grep -q '](docs/capture.md)' "$prefix"/share/doc/weir/README.md || fail "an installed page has lost its links"
# The program of docs/cpp.md, its second C++ block, against the file without its three opening lines.
diff <(awk '/^```cpp$/ { on = ++num == 2; next } /^```$/ { on = 0 } on' "$here/../../docs/cpp.md") \
    <(tail -n +4 "$here/steps/steps.cpp") || fail "docs/cpp.md shows another program than tests/e2e/steps/steps.cpp"
for way in "c++20 g++" "c++17 ${clang##*/}"; do
    read -r standard compiler <<<"$way"
    folder=$work/cpp-$standard-$compiler
    mkdir "$folder"
    "$compiler" -std="$standard" -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags weir-capture) \
        -I"$here/host" -c "$here/steps/steps.cpp" -o "$folder/steps.o"
    cc -std=c11 -D_POSIX_C_SOURCE=200809L -c "$here/host/engine.c" -o "$folder/engine.o"
    cc -std=c11 -c "$here/host/features.c" -o "$folder/features.o"
    "$compiler" -o "$folder/main" "$folder"/*.o $(pkg-config --libs weir-capture) -lvulkan
    cd "$folder"
    run "the program of docs/cpp.md, $way" ./main >log.txt
    cd - >/dev/null
    cat "$folder/log.txt"
    ! grep -qi validation "$folder/log.txt" || fail "$way: the validation layer has spoken"
    [ $num_skipped != 0 ] || grep -q "^1: [1-9][0-9]* frames" "$folder/log.txt" || fail "$way: no movie"
done

mkdir "$work/find_package"
cat >"$work/find_package/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(weir 0.1 REQUIRED COMPONENTS device capture libav play)
if(NOT EXISTS \${weir_GLSL_DIR}/weir/pyramid_custom.glsl)
  message(FATAL_ERROR "weir_GLSL_DIR is \${weir_GLSL_DIR}")
endif()
add_executable(with_static $here/install.c)
target_link_libraries(with_static PRIVATE weir::capture weir::device)
add_executable(with_shared $here/install.c)
target_link_libraries(with_shared PRIVATE weir::capture-shared weir::device-shared weir::weir-shared)
add_executable(with_libav $work/libav.c)
target_link_libraries(with_libav PRIVATE weir::libav)
add_executable(with_play $work/play.c)
target_link_libraries(with_play PRIVATE weir::play)
CMAKE
cmake -S "$work/find_package" -B "$work/find_package/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/find_package/build" >/dev/null
run "find_package, static" "$work/find_package/build/with_static"
run "find_package, shared" "$work/find_package/build/with_shared"

for file in man/man1/weir.1 man/man1/weir-texture.1 bash-completion/completions/weir zsh/site-functions/_weir \
    fish/vendor_completions.d/weir.fish; do
    [ -s "$prefix/share/$file" ] || fail "share/$file is not installed"
done
"$prefix/bin/weir" --help >/dev/null || fail "the installed program weir does not run"
[ $num_skipped = 0 ] || { echo "skipped: no Vulkan device to run the programs on"; exit 77; }
