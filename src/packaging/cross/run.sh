#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Of ./dev arm64 and ./dev i386: builds for another architecture of Debian, tests that and packs it.
# run.sh ARCHITECTURE STEP...; LIBRARIES are the packages whose headers and libraries it takes.
set -euo pipefail
arch=$1 build=build-$1 options=()
root=$PWD/$build/root

fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# The root folder: packages are unpacked, and this machine's own stay as they are. What dpkg would know of them says which
# packages ours depend on.
setup() {
    local apt=$root.apt list deb name
    # shellcheck disable=SC2086
    ! (cd "$root/libraries" && ls $LIBRARIES) >/dev/null 2>&1 || return 0
    rm -rf "$apt" "$root"
    mkdir -p "$apt"/{sources,lists/partial,archives/partial} "$root"/{etc,var/lib/dpkg/info}
    echo 1 >"$root/var/lib/dpkg/info/format" # names of files there have the architecture
    cp -L /etc/os-release "$root/etc"
    : >"$apt/status"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
        [ ! -s $list ] || cp $list "$apt/sources/debian.${list##*.}"
    done
    local get=(apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root
        -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/sources" -o Dir::State="$apt"
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt")
    "${get[@]}" update || true # a mirror may lack the security archive's files
    # shellcheck disable=SC2086
    "${get[@]}" install -y --no-install-recommends --download-only $LIBRARIES </dev/null ||
        fail "apt-get could not fetch the packages for $arch: is the network there?"
    for deb in "$apt"/archives/*.deb; do
        name=$root/var/lib/dpkg/info/$(dpkg-deb -W --showformat='${Package}:${Architecture}' "$deb")
        [[ $(dpkg-deb -f "$deb" Multi-Arch) = same ]] || name=${name%:*}
        dpkg-deb -x "$deb" "$root"
        dpkg-deb -I "$deb" symbols >"$name.symbols" 2>/dev/null || rm "$name.symbols"
        dpkg-deb -I "$deb" shlibs >"$name.shlibs" 2>/dev/null || rm "$name.shlibs"
        dpkg-deb --fsys-tarfile "$deb" | tar -t | sed "s,^\.,$root,; s,/$,," >"$name.list"
        { dpkg-deb -f "$deb" | sed '1a Status: install ok installed' && echo; } >>"$root/var/lib/dpkg/status"
    done
    sed "s,\"/usr,\"$root/usr," "$root"/usr/share/vulkan/icd.d/lvp_icd.*.json >"$root/lvp_icd.json"
    rm -rf "$apt"
    mkdir "$root/libraries"
    # shellcheck disable=SC2086
    (cd "$root/libraries" && touch $LIBRARIES)
}

build() {
    local libraries
    setup
    # What runs has the dynamic linker of the root folder. QEMU's own option would take "/" for that folder.
    libraries=$(echo "$root"/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu)
    export LD_LIBRARY_PATH=${libraries// /:} VK_ICD_FILENAMES=$root/lvp_icd.json \
        VK_LAYER_PATH=$root/usr/share/vulkan/explicit_layer.d
    cmake --preset "$arch" -B "$build" "${options[@]}" >/dev/null && cmake --build "$build" ${1:+--target "$@"} ||
        fail "the build for $arch failed; the first message above says where"
}

# run_tests CTEST...: of what was built, but for lint, which is of the sources.
run_tests() {
    ctest --test-dir "$build" -j"$(nproc)" --output-on-failure -LE lint "$@" </dev/null
}

# Without the program.
ci() {
    build=$build/ci options=(-DWEIR_PROGRAM=OFF -DWEIR_SAMPLES=OFF)
    build cross-tests
    run_tests -L '^cross$'
}

package() {
    setup
    WEIR_NO_SETUP=1 WEIR_PACKAGE_BUILD=$build/package QEMU_LD_PREFIX=$root DPKG_ADMINDIR=$root/var/lib/dpkg DEB_HOST_ARCH=$arch \
        WEIR_PACKAGE_OPTIONS="--toolchain $PWD/src/packaging/cross/toolchain.cmake -DWEIR_ARCHITECTURE=$arch ${PACKAGE_OPTIONS:-}" \
        ./dev package
}

if grep -qs '^WEIR_TESTS:BOOL=ON' build/CMakeCache.txt; then # which compiles kernels once for all builds
    flock build cmake --build build --target weir-kernels >/dev/null # systems may be built side by side
    export WEIR_KERNELS_FROM=$PWD/build
fi
case ${2:-} in
    setup) setup ;;
    build) build "${@:3}" ;;
    test)
        if [ "${3:-}" = quick ]; then
            build quick-tests
            run_tests -L '^quick$' "${@:4}"
        else
            build
            run_tests "${@:3}"
        fi ;;
    ci) ci ;;
    package) package ;;
    *) fail "$arch takes setup, build, test, ci or package" ;;
esac
