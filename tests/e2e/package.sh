#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# package.sh SOURCE WORK: the packages of ./dev package have the names and dependencies that Debian's policy wants, are
# the same when they are made again, satisfy lintian, and work where nothing else is installed: in the root of
# clean_root.sh.
set -euo pipefail
source=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
for tool in cpack dpkg-deb dpkg-buildflags dpkg-shlibdeps; do
    command -v $tool >/dev/null || skip "no $tool here"
done
rm -rf "$work"
mkdir -p "$work"
make_packages() { WEIR_NO_SETUP=1 "$source/dev" package "$1" >"$work/log" 2>&1 || fail "./dev package: $(tail "$work/log")"; }
make_packages "$work/packages"
cd "$work/packages"

api=$(sed -n 's/^#define WEIR_API_VERSION //p' "$source/src/include/weir/macros.h")
version=$(sed -n 's/^#define WEIR_VERSION_STRING "\(.*\)"/\1/p' "$source/src/include/weir/version.h")
version+=+$(. /etc/os-release && echo "${ID/debian/deb}${VERSION_ID:-}")
exactly="\(= ${version/+/\\+}\)"
libraries="libweir$api libweir-device$api libweir-capture$api libweir-libav$api libweir-play$api"
for package in $libraries libweir-dev weir; do
    file=$(echo "${package}_${version}"_*.deb)
    [ -f "$file" ] || fail "there is no $package: $(ls)"
    [ "$(dpkg-deb -f "$file" Package)" = $package ] || fail "$file is $(dpkg-deb -f "$file" Package)"
    dpkg-deb -x "$file" "$work/$package"
    for document in copyright changelog.gz; do
        [ -s "$work/$package/usr/share/doc/$package/$document" ] || fail "$package has no $document"
    done
done
[ "$(ls ./*.deb | wc -l)" = 7 ] || fail "other packages: $(ls)"

# expect_depends PACKAGE PATTERN...: what it declares; expect_no_depends: and what not.
depends() { dpkg-deb -f "$1"_*.deb Depends; }
expect_depends() {
    local package=$1 pattern
    shift
    for pattern in "$@"; do
        grep -qE "(^|, )$pattern" <<<"$(depends $package)" || fail "$package does not depend on $pattern: $(depends $package)"
    done
}
expect_depends libweir$api libc6
[[ $(depends libweir$api) != *,* ]] || fail "libweir$api needs more than the C library: $(depends libweir$api)"
expect_depends libweir-play$api "libweir-capture$api \(" "libweir-device$api \("
expect_depends libweir-device$api "libweir$api $exactly" libvulkan1
expect_depends libweir-capture$api "libweir$api $exactly" libpng16
[[ ! $(depends libweir-capture$api) =~ vulkan|libav|libsw ]] ||
    fail "libweir-capture$api needs a loader of Vulkan, or FFmpeg: $(depends libweir-capture$api)"
expect_depends libweir-libav$api "libweir-capture$api \(" libavformat
expect_depends libweir-play$api "libweir-capture$api \(" "libweir-device$api \("
expect_depends libweir-dev "libweir$api $exactly" "libweir-device$api \(" "libweir-capture$api \(" libvulkan-dev
expect_depends weir libavformat libvulkan1 libc6
grep -q vulkan-icd <<<"$(dpkg-deb -f weir_*.deb Recommends)" || fail "weir recommends no driver"

# No path of the build is in them, and libraries are found where the system has them.
for file in "$work"/weir/usr/bin/weir "$work"/libweir*/usr/lib/*/*.so.*.*; do
    ! readelf -d "$file" | grep -E 'RPATH|RUNPATH' || fail "$file has a path of its own for libraries"
    for folder in src shaders capture tests build; do
        ! grep -qF "$source/$folder" "$file" || fail "$file names folders of the build"
    done
done
for page in weir weir-info weir-transcode weir-texture weir-mips weir-palette weir-recover weir-join; do
    gzip -t "$work/weir/usr/share/man/man1/$page.1.gz" || fail "no compressed page of $page"
done
[ -s "$work/weir/usr/share/zsh/vendor-completions/_weir" ] || fail "zsh does not look for the completion of weir"

if command -v lintian >/dev/null; then
    lintian --fail-on error --allow-root --suppress-tags uses-no-compression-for-data-tarball ./*.deb &
    lintian=$!
    make_packages "$work/again"
    wait $lintian || fail "lintian finds errors"
else
    make_packages "$work/again"
    echo "lintian is not here and was not asked"
fi
for file in *.deb; do
    cmp "$file" "$work/again/$file" || fail "$file is another one when it is made again"
done

# A program is built with the files of libweir-dev, and then runs in the clean root.
cp -r "$work/libweir-dev/usr" "$work/sdk"
for library in $libraries; do
    cp -r "$work/$library/usr/lib" "$work/sdk/"
done
read -ra flags < <(PKG_CONFIG_PATH=$(dirname "$(find "$work/sdk" -name weir.pc)") pkg-config --cflags --libs \
    weir-capture weir-device)
cc -std=c11 -o "$work/program" "$here/install.c" "${flags[@]}" || fail "a program does not build with libweir-dev"

as_root=(unshare --mount)
[ "$(id -u)" = 0 ] || as_root+=(--map-root-user)
"${as_root[@]}" sh -c 'mount --rbind /proc /mnt && chroot / true' 2>/dev/null ||
    skip "the rest passed; no root and no user namespaces here to run programs in a clean root"
# A driver is no dependency, but what weir recommends: it goes beside the packages, with what it needs. It alone would bring
# LLVM and Python into the root, more than all the others together.
icd=$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
[ -n "$icd" ] || skip "the rest passed; no software device here to run programs in a clean root on"
driver=$(sed -n 's/.*"library_path": *"\(.*\)".*/\1/p' "$icd")
[[ $driver = /* ]] || driver=$(ldconfig -p | sed -n "s,.*$driver .* => ,,p" | head -n 1)
mkdir "$work/driver"
sed "s,\(\"library_path\": *\"\).*\(\".*\),\1/driver/${driver##*/}\2," "$icd" >"$work/driver/icd.json"
cp -L "$driver" $(ldd "$driver" | sed -n 's/.* => \(\/.*\) (.*/\1/p') "$work/driver"
cat >"$work/use.sh" <<'USE'
set -eux
root=$1
unset MESA_SHADER_CACHE_DIR
mount --rbind /proc "$root/proc"
cp "$WORK"/packages/*.deb "$WORK/program" "$root/tmp"
# What is declared is there, and nothing else is needed: the loader finds each library of the programs.
chroot "$root" sh -c 'ldconfig && dpkg --install /tmp/*.deb'
chroot "$root" weir --version
missing=$(chroot "$root" ldd /usr/bin/weir /tmp/program | grep "not found" || true)
test -z "$missing"
cp -r "$WORK/driver" "$root"
chroot "$root" ldconfig -p >"$WORK/there.txt"
for library in "$root"/driver/lib*; do
    ! grep -qF "${library##*/} " "$WORK/there.txt" || rm "$library"
done
on_device() { chroot "$root" env VK_ICD_FILENAMES=/driver/icd.json LD_LIBRARY_PATH=/driver "$@"; }
on_device weir info | tee "$WORK/info.txt"
grep -q '^  installed  *[^ ]*/VkLayer_WEIR_capture.json: weir record ' "$WORK/info.txt"
unwanted=$(ldd "$root"/usr/lib/*/weir/libVkLayer_WEIR_capture.so | grep -E 'libav|libpng|not found' || true)
test -z "$unwanted"
{ echo P6 8 8 255 && head -c 192 "$WORK/program"; } >"$root/tmp/in.ppm"
on_device weir texture /tmp/in.ppm /tmp/out.ktx2 --codec bc4 --effort fast
on_device weir transcode /tmp/in.ppm /tmp/out.mov --quiet --effort fast
cp "$root/tmp/out.ktx2" "$root/tmp/out.mov" "$WORK"
on_device /tmp/program
test -z "$(chroot "$root" dpkg --audit $PACKAGES)"
chroot "$root" dpkg --purge weir
test ! -e "$root/usr/bin/weir" && test ! -e "$root/usr/share/doc/weir"
USE
grep -qw "$(dpkg-query -S "$icd" | sed 's/:.*//')" <<<"$(dpkg-deb -f weir_*.deb Recommends)" || fail "weir does not recommend what has $icd"
# In memory where that has room: 0.3 GB that are gone at once.
free_kib=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
available_kib=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
root=$work/root
if [ -w /dev/shm ] && [ "${free_kib:-0}" -gt 1000000 ] && [ "${available_kib:-0}" -gt 2000000 ]; then
    root=$(mktemp -d /dev/shm/weir-root.XXXXXX)
fi
trap 'rm -rf "$root"' EXIT
bash "$here/clean_root.sh" "$root" ./*.deb >"$work/root.log" 2>&1 || fail "no clean root: $(tail -n 30 "$work/root.log")"
WORK=$work PACKAGES="$libraries libweir-dev weir" "${as_root[@]}" sh "$work/use.sh" "$root" >>"$work/root.log" 2>&1 ||
    fail "in a clean root: $(tail -n 30 "$work/root.log")"
[ "$(ffprobe -v error -select_streams v:0 -show_entries stream=codec_name,width,height -of csv=p=0 "$work/out.mov")" = hap,8,8 ] ||
    fail "the movie from the clean root is wrong"
[ "$(head -c 12 "$work/out.ktx2" | od -An -tx1 | tr -d ' ')" = ab4b5458203230bb0d0a1a0a ] || fail "no KTX2 file from the clean root"
echo "passed: $(sed -n 's/^Device 0: //p' "$work/root.log")"
