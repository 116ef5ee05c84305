#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# try_release.sh FOLDER: tries the files of ./dev release as a user would, in a root that has nothing else (run.sh).
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
. /etc/os-release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf 'debian: %s\n' "$*"; }
fail() { printf 'debian: FAILED: %s\n' "$*" >&2; exit 1; }
install() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y "$@" </dev/null >"$work/log" 2>&1 ||
        fail "apt-get install $*: $(tail -n 20 "$work/log")"
}
for tool in weir glslc spirv-opt cc cmake; do
    ! command -v $tool >/dev/null || fail "$tool is here: this root is not new"
done
cd "$folder"
sha256sum --quiet -c SHA256SUMS || fail "a checksum is another one"
[ "$(sed 's/.*  //' SHA256SUMS | sort)" = "$(ls | grep -vx SHA256SUMS | sort)" ] || fail "SHA256SUMS lists other files"
apt-get -qq update

# The program, with what it recommends: a software device.
packages=(./*+deb"${VERSION_ID}"_*.deb)
[ ${#packages[@]} = 5 ] || fail "packages of this release: ${packages[*]}"
mapfile -t runtime < <(printf '%s\n' "${packages[@]}" | grep -v libweir-dev_)
install "${runtime[@]}"
weir --version
weir info | sed -n 's/^Device/debian: device/p'
{ echo P6 64 64 255 && head -c 12288 /usr/bin/weir; } >"$work/in.ppm"
weir texture "$work/in.ppm" "$work/out.ktx2" --codec bc7
weir transcode "$work/in.ppm" "$work/out.mov" --quiet
grep -q hap_q <<<"$(weir info "$work/out.mov")" || fail "weir info does not know its movie: $(weir info "$work/out.mov")"

# A program that uses the libraries.
install ./libweir-dev_*+deb"${VERSION_ID}"_*.deb
install --no-install-recommends gcc libc6-dev pkg-config
read -ra flags < <(pkg-config --cflags --libs weir-capture weir-device)
cc -std=c11 -o "$work/program" "$here/../e2e/install.c" "${flags[@]}" || fail "a program does not build with libweir-dev"
"$work/program" || fail "a program does not run with the libraries"

# The tarball: a C compiler, CMake and headers of Vulkan, which libweir-dev has brought.
install --no-install-recommends cmake make xz-utils
tar -C "$work" -xf weir-*.tar.xz
{ cmake -S "$work"/weir-*/ -B "$work/build" -DWEIR_CAPTURE=OFF -DWEIR_SAMPLES=OFF -DWEIR_TESTS=OFF &&
    cmake --build "$work/build" -j"$(nproc)"; } >"$work/log" 2>&1 || fail "the tarball does not build: $(tail -n 20 "$work/log")"
[ -f "$work/build/lib/libweir.a" ] || fail "the tarball makes no libweir.a: $(find "$work/build" -name '*.a')"
say "the release works on $PRETTY_NAME"
