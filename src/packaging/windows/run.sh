#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Of ./dev windows: builds for Windows in build-windows, tests that under Wine, and packs it.
set -euo pipefail
root=build-windows/root

fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# What the compiler is to find: headers of this machine that are the same everywhere, and the import library of the loader,
# which Windows and Wine have.
make_root() {
    [ ! -e $root/lib/libvulkan-1.a ] || return 0
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

# describe NAME VERSION LIBRARIES: what pkg-config says of a library in the root folder.
describe() {
    mkdir -p $root/lib/pkgconfig
    printf 'prefix=%s\nName: %s\nDescription: %s\nVersion: %s\nLibs: -L${prefix}/lib %s\nCflags: -I${prefix}/include\n' \
        "$PWD/$root" "$1" "$1" "$2" "$3" >"$root/lib/pkgconfig/$1.pc"
}

# compile NAME SOURCE...: a library of a few files, in the current folder.
compile() {
    rm -f ./*.o
    x86_64-w64-mingw32-gcc -O2 -Iinclude -c "${@:2}" && x86_64-w64-mingw32-ar rc "$OLDPWD/$root/lib/lib$1.a" ./*.o
}

make_libpng() {
    source_of libpng1.6
    cd build-windows/libpng1.6
    cp scripts/pnglibconf.h.prebuilt pnglibconf.h
    compile png png.c png[^t]*.c pngtrans.c
    cp png.h pngconf.h pnglibconf.h ../root/include
    cd "$OLDPWD"
    cp /usr/x86_64-w64-mingw32/lib/libz.a $root/lib # before its DLL
    describe libpng 1.6 '-lpng -lz'
}

make_zstd() {
    source_of libzstd
    cd build-windows/libzstd/lib
    compile zstd -DZSTD_DISABLE_ASM common/*.c compress/*.c decompress/*.c
    cp zstd.h zstd_errors.h ../../root/include
    cd "$OLDPWD"
    describe libzstd 1.5 -lzstd
}

make_lcms2() {
    source_of lcms2
    cd build-windows/lcms2
    compile lcms2 src/*.c
    cp include/lcms2.h ../root/include
    cd "$OLDPWD"
    describe lcms2 2.14 -llcms2
}

# Its library of C, whose build would build those of C++ too.
make_openexr() {
    source_of openexr
    cd build-windows/openexr/src/lib/OpenEXRCore
    cp /usr/include/OpenEXR/{OpenEXR,IlmThread}Config.h .
    touch OpenEXRConfigInternal.h
    compile OpenEXRCore -I. -I../../../../root/include -I/usr/include/Imath ./*.c
    cp openexr*.h OpenEXRConfig.h ../../../../root/include
    cd "$OLDPWD"
    describe OpenEXR 3.1 '-lOpenEXRCore -lz'
}

# make_by_cmake PACKAGE OPTION...
make_by_cmake() {
    source_of "$1"
    cmake -S "build-windows/$1" -B "build-windows/$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/src/packaging/windows/toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$PWD/$root" "${@:2}" >/dev/null
    cmake --build "build-windows/$1/build" --target install >/dev/null
}

# Its build gives two libraries one name.
make_snappy() {
    source_of snappy
    cd build-windows/snappy
    sed 's/${HAVE_SYS_UIO_H_01}/0/; s/${PROJECT_VERSION_.*}/1/' snappy-stubs-public.h.in >snappy-stubs-public.h
    compile snappy snappy.cc snappy-c.cc snappy-sinksource.cc snappy-stubs-internal.cc
    cp snappy-c.h ../root/include
    cd "$OLDPWD"
    describe snappy 1.1 '-lsnappy -lstdc++'
}

# enable KIND NAME...: options of FFmpeg's configure.
enable() {
    printf -- "--enable-$1=%s\n" "${@:2}"
}

# What people have: pictures, movies of cameras, of the web and of editing programs, and their sound. Its own assembler gives
# the bytes that it gives on Linux.
make_ffmpeg() {
    local options=(
        --quiet --prefix="$PWD/$root" --enable-cross-compile --target-os=mingw32 --arch=x86_64 --cross-prefix=x86_64-w64-mingw32-
        --cc=x86_64-w64-mingw32-gcc-posix --pkg-config=pkg-config --disable-everything --disable-programs --disable-doc
        --disable-network --disable-avdevice --disable-avfilter --disable-postproc --disable-debug --disable-autodetect
        --enable-zlib --enable-w32threads
    )
    mapfile -t -O ${#options[@]} options < <(
        enable protocol file pipe
        enable bsf null vp9_superframe_split
        enable demuxer aac aiff apng avi flac gif h264 hevc m4v mpegvideo image2 image_{bmp,dpx,exr,gif,jpeg,pam,pbm,pfm,pgm,phm,png,ppm,psd,qoi}_pipe \
            image_{sgi,tiff,webp}_pipe ivf matroska mov mp3 mpegps mpegts mxf nut ogg wav w64 yuv4mpegpipe
        enable decoder aac ac3 alac apng bmp cfhd dnxhd dpx eac3 exr ffv1 ffvhuff flac gif h264 hap hevc huffyuv magicyuv mjpeg \
            mp2 mp3 mpeg1video mpeg2video mpeg4 opus pam pbm 'pcm_*' pfm pgm phm png ppm prores psd qoi qtrle rawvideo sgi \
            targa utvideo v210 vorbis vp8 vp9 webp wrapped_avframe
        enable parser aac aac_latm ac3 bmp dnxhd dpx flac gif h264 hevc mjpeg mpeg4video mpegaudio mpegvideo opus png pnm qoi \
            vorbis vp8 vp9 webp
    )
    source_of ffmpeg
    (
        cd build-windows/ffmpeg
        ./configure "${options[@]}" >/dev/null && make -s -j"$(nproc)" install >/dev/null 2>&1
    ) || fail "FFmpeg could not be built; build-windows/ffmpeg/ffbuild/config.log may say why"
}

make_glfw() {
    make_by_cmake glfw3 -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF
    sed -i '/^Libs:/s/$/ -lgdi32/' $root/lib/pkgconfig/glfw3.pc
}

# Compressed by what zlib does, and by its own ways. It reads descriptors, not handles.
make_tiff() {
    make_by_cmake tiff -Dtiff-{tools,tests,contrib,docs}=OFF -Dcxx=OFF -Dwin32-io=OFF -D{jpeg,old-jpeg,jbig,lerc,lzma,zstd,webp,libdeflate}=OFF
    describe libtiff-4 4.5 '-ltiff -lz'
}

setup() {
    make_root
    local library
    for library in libpng:libpng glfw3:glfw libzstd:zstd lcms2:lcms2 libtiff-4:tiff snappy:snappy OpenEXR:openexr \
        libavformat:ffmpeg; do
        [ -e "$root/lib/pkgconfig/${library%:*}.pc" ] || "make_${library#*:}"
    done
}

# configure OPTION...
configure() {
    local kernels=()
    if grep -qs '^WEIR_TESTS:BOOL=ON' build/CMakeCache.txt; then # which compiles them once for all builds
        flock build cmake --build build --target weir-kernels >/dev/null && kernels=(-DWEIR_KERNELS_FROM="$PWD/build")
    fi
    cmake --preset windows "${kernels[@]}" "$@" >/dev/null
}

build() {
    setup
    configure && cmake --build build-windows ${1:+--target "$@"} ||
        fail "the build for Windows failed; the first message above says where"
}

# Without the program and the samples nothing but libpng is needed.
ci() {
    make_root
    [ -e $root/lib/pkgconfig/libpng.pc ] || make_libpng
    configure -B build-windows/ci -DWEIR_PROGRAM=OFF -DWEIR_SAMPLES=OFF && cmake --build build-windows/ci --target cross-tests ||
        fail "the build for Windows failed; the first message above says where"
    run_tests build-windows/ci -L '^cross$'
}

# run_tests FOLDER [quick] [CTEST...]: Wine wants a display before it has Vulkan. A program keeps Wine's desktop open: the
# process of a desktop that a test opens has that test's output, and ctest would wait for it.
run_tests() {
    local chosen=(--test-dir "$1" -LE lint) # which is of the sources
    shift
    if [ "${1:-}" = quick ]; then
        chosen+=(-L '^quick$')
        shift
    fi
    export WINEPREFIX=$PWD/build-windows/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' # no .NET, no browser
    export LC_ALL=C.UTF-8 # by which Wine names files
    mkdir -p "$WINEPREFIX"
    # shellcheck disable=SC2016
    xvfb-run -a bash -c 'wine wineboot -i && wine start notepad >/dev/null 2>&1 && ctest -j"$(nproc)" --output-on-failure "$@"' - \
        "${chosen[@]}" "$@" </dev/null
}

# Programs take the DLLs, or link statically: no DLL of the compiler is needed.
package() {
    local name library
    build weir-installed
    name=weir-$(sed -n 's/.*WEIR_VERSION_STRING "\([0-9.]*\)".*/\1/p' src/include/weir/version.h)-windows-x86_64
    rm -rf build-windows/package
    cmake --install build-windows --prefix "build-windows/package/$name" >/dev/null
    cp -r LICENSE README.md docs "build-windows/package/$name"
    for library in ffmpeg glfw3 lcms2 libpng1.6 libzstd openexr tiff; do # which are inside of the programs
        mkdir -p "build-windows/package/$name/licenses/$library"
        find "build-windows/$library" -maxdepth 1 \( -iname 'license*' -o -iname 'copying*' \) -type f \
            -exec cp -t "build-windows/package/$name/licenses/$library" {} +
    done
    (cd build-windows/package && zip -qr "$name.zip" "$name")
    printf 'dev: build-windows/package/%s.zip\n' "$name"
}

case ${1:-} in
    setup) setup ;;
    build) build "${@:2}" ;;
    test) build && run_tests build-windows "${@:2}" ;;
    ci) ci ;;
    package) package ;;
    *) fail "windows takes setup, build, test, ci or package" ;;
esac
