#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# embed.sh BUILD_DIR: Weir inside of a foreign project, as a repository, and as the folder of the tarball of ./dev dist, where
# libraries are shared; and what that tarball promises: the same bytes twice, no glslc, libweir by a C compiler alone.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests/e2e}
work=$build/tests/embed
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }
git -c safe.directory='*' -C "$root" rev-parse HEAD >/dev/null 2>&1 || { echo "no git clone"; exit 77; }
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

# embed NAME OPTION...: builds the foreign project in the folder NAME, and runs its program: BC7 was left out of the library.
embed() {
    local name=$1 said
    shift
    cmake -S "$here/embed" -B "$work/$name" -G Ninja "-DWEIR_CODECS=hap_q_alpha, bc5_snorm" "$@" >"$work/$name.log" 2>&1 &&
        cmake --build "$work/$name" >>"$work/$name.log" 2>&1 || { tail -n 30 "$work/$name.log"; fail "$name does not build"; }
    said=$("$work/$name/host") || { [ $? = 77 ] && return; fail "$name: the program failed: $said"; }
    [ "$said" = "ycocg_bc3: WEIR_OK, 0
bc7: WEIR_ERROR_UNSUPPORTED, 203" ] || fail "$name: the program says: $said"
    ! find "$work/$name" -type f -perm /111 -name 'sample_*' -o -type f -name 'libweir-test*' | grep . ||
        fail "$name has built more than the libraries"
}

embed repository -DWEIR_REPOSITORY="$root"
clone=$work/repository/_deps/weir-src
touch "$clone/new"
! "$clone/dev" release >"$work/release.log" 2>&1 || fail "./dev release takes a tree with a file of no commit"
grep -q 'commit, or git stash' "$work/release.log" || fail "./dev release: $(cat "$work/release.log")"

export WEIR_DIST_BUILD=$build XZ_OPT=-0 # which is quick
"$root/dev" dist "$work/dist" >"$work/dist.log" || fail "./dev dist: $(cat "$work/dist.log")"
"$root/dev" dist "$work/again" >>"$work/dist.log"
cmp "$work"/dist/*.xz "$work"/again/*.xz || fail "two runs of ./dev dist make two tarballs"
(cd "$work/dist" && sha256sum --quiet -c ./*.sha256) || fail "the checksum is another one"
tar -C "$work" -xf "$work"/dist/*.xz
# It takes the place of the clone, whose objects then remain: it has the same files, and adds kernels.
tarball=$clone
rm -r "$clone/.git" "$clone/new"
mv "$clone" "$work/clone"
mv "$work"/weir-* "$tarball"
[ "$(diff -r "$work/clone" "$tarball")" = "Only in $tarball/src: kernels" ] || fail "the tarball has other files than the commit"
embed repository -UWEIR_REPOSITORY -DWEIR_FOLDER="$tarball" -DBUILD_SHARED_LIBS=ON
grep -q 'libweir\.so' <<<"$(ldd "$work/repository/host")" || fail "BUILD_SHARED_LIBS is not read"
! grep -qE 'glslc|spirv-opt' "$work/repository/build.ninja" && ! grep -rq incbin "$tarball/src" ||
    fail "the tarball needs glslc or an assembler"

mkdir "$work/objects"
cd "$work/objects"
cc -O0 -w -c -D_GNU_SOURCE -I"$tarball" -I"$tarball/src" -I"$tarball/src/include" -I"$tarball/src/kernels" "$tarball"/src/*/*.c \
    "$tarball"/src/base/posix/*.c
ar rc libweir.a ./*.o
cc -o host -I"$tarball/src/include" "$here/embed/core.c" libweir.a -lm && ./host
