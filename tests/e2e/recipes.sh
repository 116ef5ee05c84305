#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# recipes.sh BUILD_DIR: programs are built with what the port of vcpkg and the recipe of Conan install of the tarball that
# e2e_embed has made. Neither tool runs: CMake and Python take their steps.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/recipes
tarball=$(echo "$build"/tests/embed/dist/weir-*.tar.xz)
[ -e "$tarball" ] || { echo "no tarball: e2e_embed makes it"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "$*"; exit 1; }
WEIR_RECIPES=$work/recipes "${here%/tests/e2e}/dev" recipes "$tarball" >recipes.log
! grep -rE '@[a-z0-9]+@' recipes || fail "this was not filled in"

# Fields, and what they hold, by https://learn.microsoft.com/vcpkg/reference/vcpkg-json.
python3 - recipes/vcpkg/vcpkg.json <<'PYTHON'
import json, re, sys
port = json.load(open(sys.argv[1]))
def named(text): return re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", text)
assert port.keys() <= {"name", "version", "description", "license", "supports", "dependencies"}
assert named(port["name"]) and re.fullmatch(r"\d+(\.\d+)*", port["version"]) and port["license"] == "MIT"
for one in port["dependencies"]:
    one = {"name": one} if isinstance(one, str) else one
    assert named(one["name"]) and one.keys() <= {"name", "host", "features", "default-features", "platform"}, one
PYTHON
cmake -DPORT="$work/recipes/vcpkg" -DCURRENT_PACKAGES_DIR="$work/packages" -DEXTRACTED="$build/tests/embed/repository/_deps/weir-src" -P "$here/recipes/vcpkg.cmake" >vcpkg.log 2>&1 ||
    { tail -n 30 vcpkg.log; fail "the steps of the port fail"; }
[ -s packages/share/weir/copyright ] && [ ! -e packages/share/doc ] && [ -z "$(find packages -name '*.so*')" ] ||
    fail "vcpkg would refuse: $(find packages -type f)"
cmake -S "$here/recipes" -B consumer -G Ninja -DCMAKE_PREFIX_PATH="$work/packages" >vcpkg.log
cmake --build consumer >>vcpkg.log || { tail -n 30 vcpkg.log; fail "a program does not build with the port"; }
consumer/consumer || [ $? = 77 ] || fail "the program fails"

python3 "$here/recipes/conan_steps.py" recipes/conan/conanfile.py "$build/tests/embed/repository/_deps/weir-src" packages.work/build conan \
    >conan.log 2>&1 || { tail -n 30 conan.log; fail "the steps of the recipe fail"; }
cc -o consumer/shared "$here/install.c" -Iconan/include -Lconan/lib -lweir-capture -lweir-device -lweir
LD_LIBRARY_PATH=conan/lib consumer/shared || [ $? = 77 ] || fail "the program with Conan's libraries fails"
