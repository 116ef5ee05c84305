#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every public header compiles alone, and twice, as C11 with gcc and as C++17 with clang; weir.h, which has all of them, as
# both with both.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Werror)
status=0 num_checks=0
check() { # LANGUAGE STANDARD COMPILER TEXT
    printf '%s\n' "$4" | "$3" -x "$1" -std="$2" "${warnings[@]}" -I"$root/src/include" -fsyntax-only -
}
for header in "$root"/src/include/weir/*.h; do
    name=weir/$(basename "$header")
    ways=("c c11 gcc" "c++ c++17 clang++")
    [ "$name" != weir/weir.h ] || ways+=("c++ c++17 g++" "c c11 clang")
    for way in "${ways[@]}"; do
        read -r language standard compiler <<<"$way"
        if ! command -v "$compiler" >/dev/null; then # ./dev lint installs clang
            compiler=${compiler/clang++/g++} compiler=${compiler/#clang/gcc}
        fi
        num_checks=$((num_checks + 1))
        check "$language" "$standard" "$compiler" "#include <$name>
#include <$name>
typedef int program;" || { echo "$name does not compile alone with $compiler -std=$standard"; status=1; }
    done
    # A name of a system or of another library without the prefix would clash with the host's.
    if grep -nE '^#define +[A-Z_a-z]+' "$header" | grep -vE '#define +(WEIR_|weir_)'; then
        echo "$name defines a macro without the prefix weir_ or WEIR_"
        status=1
    fi
done
# Handles for C++ need neither exceptions nor type information, and have every object that can be destroyed.
warnings+=(-fno-exceptions -fno-rtti)
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    num_checks=$((num_checks + 1))
    check c++ c++17 $compiler '#include <weir/weir.hpp>
#include <weir/weir.hpp>
static_assert(!std::is_copy_constructible<weir::image>::value && std::is_nothrow_move_assignable<weir::image>::value);
weir::capture taken(weir::capture capture) { return capture; }' || { echo "weir/weir.hpp does not compile with $compiler"; status=1; }
done
warnings=("${warnings[@]:0:5}")
for object in $(grep -ohE 'weir_[a-z_]*_destroy\(' "$root"/src/include/weir/*.h | sed 's/^weir_//; s/_destroy($//' | sort -u); do
    grep -q "^WEIR_HANDLE($object)$" "$root/src/include/weir/weir.hpp" || { echo "weir/weir.hpp has no handle of $object"; status=1; }
done
# A program that includes <weir/weir.h> has all of them.
included=$(printf '#include <weir/weir.h>\n' | gcc -I"$root/src/include" -M -x c -)
for header in "$root"/src/include/weir/*.h; do
    grep -qwF "$header" <<<"$included" || { echo "<weir/weir.h> does not include $(basename "$header")"; status=1; }
done
# The check itself must be able to fail.
if check c c11 gcc 'size_t forgotten_include;' 2>/dev/null; then
    echo "a header that forgets an include would pass"
    status=1
fi
echo "$num_checks compilations"
exit $status
