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
# For MSVC as clang takes it: C11 and C++20 in which nothing of GNU is left, with clang's own headers of the freestanding
# standard, Vulkan's, and what weir.hpp takes of <utility>.
for_msvc() { # LANGUAGE STANDARD TEXT
    local options=(--target=x86_64-pc-windows-msvc -nostdlibinc -ffreestanding -x "$1" -std="$2" -I"$root/src/include")
    options+=(-isystem "$stub" -idirafter /usr/include)
    printf '%s\n' "$3" | clang "${options[@]}" "${warnings[@]}" -Wno-unused-function -fsyntax-only - &&
        ! grep -E '__(attribute|extension|typeof)__' <<<"$(printf '%s\n' "$3" | clang "${options[@]}" -E -P -)"
}
if command -v clang >/dev/null; then
    stub=$(mktemp -d)
    trap 'rm -rf "$stub"' EXIT
    echo 'namespace std { template <class T, class U> T exchange(T &x, U y) { T old = x; x = y; return old; } }' >"$stub/utility"
    text='#include <weir/weir.h>
extern weir_context *context; extern weir_image *image; extern weir_readback *readback;
enum weir_result make(void);
enum weir_result make(void) { return weir_image_create(context, weir_image_params(.image = VK_NULL_HANDLE), &image); }
enum weir_result refer(const struct weir_frame *frame);
enum weir_result give(void);
enum weir_result give(void) { return refer(WEIR_REF(weir_frame, .image = image)); }'
    for way in "c c11" "c++ c++20"; do
        num_checks=$((num_checks + 1))
        for_msvc $way "$text" || { echo "weir/weir.h is not for MSVC as ${way#* }"; status=1; }
    done
    num_checks=$((num_checks + 1))
    for_msvc c++ c++20 '#include <weir/weir.hpp>
weir::capture taken(weir::capture capture) { return capture; }' || { echo "weir/weir.hpp is not for MSVC"; status=1; }
fi
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
