#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Of ./dev windows: builds for Windows in build-windows, tests that under Wine, and packs it.
set -euo pipefail
root=build-windows/root

fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# What the compiler is to find: headers of this machine that are the same everywhere, and the import library of the loader,
# which Windows and Wine have.
make_root() {
    mkdir -p $root/include $root/lib $root/share/cmake/glm
    ln -sfn /usr/include/vulkan /usr/include/vk_video /usr/include/glm $root/include
    cp /usr/share/cmake/glm/*.cmake $root/share/cmake/glm
    {
        printf 'LIBRARY vulkan-1.dll\nEXPORTS\n'
        awk '/^VKAPI_ATTR.* VKAPI_CALL vk/ { sub(/\(.*/, ""); print $NF } /^#define VK_VERSION_1_4|^#define VK_KHR_sampler_mirror_clamp_to_edge/ { exit }' \
            /usr/include/vulkan/vulkan_core.h
    } >$root/vulkan-1.def
    x86_64-w64-mingw32-dlltool -d $root/vulkan-1.def -l $root/lib/libvulkan-1.a
}

# source_of PACKAGE: Debian's sources of it, unpacked in build-windows/PACKAGE.
source_of() {
    local apt=$PWD/build-windows/apt list
    mkdir -p "$apt/lists/partial" "$apt/sources"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
        [ ! -e $list ] || sed 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' $list >"$apt/sources/${list##*/}"
    done
    [ ! -e "$apt/sources/sources.list" ] || mv "$apt/sources/sources.list" "$apt/sources/debian.list"
    local options=(-qq -o APT::Sandbox::User=root -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/sources" -o Dir::State::Lists="$apt/lists")
    # A mirror may lack the security archive's files: then the release's own.
    apt-get "${options[@]}" update && (
        cd "$apt" && apt-get "${options[@]}" source --download-only "$1" 2>/dev/null ||
            apt-get "${options[@]}" source --download-only "$1/$(. /etc/os-release && echo "$VERSION_CODENAME")"
    ) || fail "apt-get could not fetch the sources of $1: is the network there?"
    rm -rf "build-windows/$1"
    dpkg-source --no-check -x "$apt/$1"_*.dsc "build-windows/$1" >/dev/null
}

make_libpng() {
    source_of libpng1.6
    cp build-windows/libpng1.6/scripts/pnglibconf.h.prebuilt build-windows/libpng1.6/pnglibconf.h
    (
        cd build-windows/libpng1.6
        x86_64-w64-mingw32-gcc -O2 -c png.c png[^t]*.c pngtrans.c
        x86_64-w64-mingw32-ar rc ../root/lib/libpng.a ./*.o
        cp png.h pngconf.h pnglibconf.h ../root/include
    )
    cp /usr/x86_64-w64-mingw32/lib/libz.a $root/lib # before its DLL
    mkdir -p $root/lib/pkgconfig
    printf 'prefix=%s\nName: libpng\nDescription: PNG\nVersion: 1.6\nLibs: -L${prefix}/lib -lpng -lz\nCflags: -I${prefix}/include\n' \
        "$PWD/$root" >$root/lib/pkgconfig/libpng.pc
}

make_glfw() {
    source_of glfw3
    cmake -S build-windows/glfw3 -B build-windows/glfw3/build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/src/packaging/windows/toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$PWD/$root" \
        -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF >/dev/null
    cmake --build build-windows/glfw3/build --target install >/dev/null
    sed -i '/^Libs:/s/$/ -lgdi32/' $root/lib/pkgconfig/glfw3.pc
}

setup() {
    make_root
    [ -e $root/lib/pkgconfig/libpng.pc ] || make_libpng
    [ -e $root/lib/pkgconfig/glfw3.pc ] || make_glfw
}

build() {
    [ -e $root/lib/pkgconfig/glfw3.pc ] || setup
    local kernels=()
    if [ -e build/build.ninja ]; then # which compiles them once for all builds
        cmake --build build --target weir-kernels >/dev/null && kernels=(-DWEIR_KERNELS_FROM="$PWD/build")
    fi
    cmake --preset windows "${kernels[@]}" >/dev/null && cmake --build build-windows ${1:+--target "$@"} ||
        fail "the build for Windows failed; the first message above says where"
}

# Wine wants a display before it has Vulkan.
run_tests() {
    local chosen=(-LE lint) # which is of the sources
    if [ "${1:-}" = quick ]; then
        chosen+=(-L '^quick$')
        shift
    fi
    export WINEPREFIX=$PWD/build-windows/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' # no .NET, no browser
    mkdir -p "$WINEPREFIX"
    # shellcheck disable=SC2016
    xvfb-run -a bash -c 'wine wineboot -i && ctest --test-dir build-windows -j"$(nproc)" --output-on-failure "$@"' - \
        "${chosen[@]}" "$@" </dev/null
}

# Programs take the DLLs, or link statically: no DLL of the compiler is needed.
package() {
    local name
    build weir-installed
    name=weir-$(sed -n 's/.*WEIR_VERSION_STRING "\([0-9.]*\)".*/\1/p' src/include/weir/version.h)-windows-x86_64
    rm -rf build-windows/package
    cmake --install build-windows --prefix "build-windows/package/$name" >/dev/null
    cp -r LICENSE README.md docs "build-windows/package/$name"
    (cd build-windows/package && zip -qr "$name.zip" "$name")
    printf 'dev: build-windows/package/%s.zip\n' "$name"
}

case ${1:-} in
    setup) setup ;;
    build) build "${@:2}" ;;
    test) build && run_tests "${@:2}" ;;
    package) package ;;
    *) fail "windows takes setup, build, test or package" ;;
esac
