#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What docs/capture.md shows of the API compiles when it is pasted into a program, as C11 and as C++17.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the examples have of the host: a renderer with sound and a panel, a muxer, and an encoder.
host='#include <weir/blocks.h>
#include <weir/capture.h>
#include <weir/libav.h>
#include <stdbool.h>
void compress(uint8_t *blocks, uint64_t size);
void give_back(void *user, void *memory);
void my_texture_upload(void *user, const void *blocks, uint32_t width, uint32_t height);
bool my_muxer_write(void *user, const uint8_t *data, size_t size, int64_t pts);
enum weir_result begin(void *user, const struct weir_capture_track *track);
enum weir_result end(void *user);'
parameters='weir_context *weir, weir_image *image, weir_capture *capture, weir_libav *live, int64_t now_ns, int64_t time_ns,
    const float *samples, void *muxer, void *panel, uint8_t *memory'

# A file for each block of C. Functions stand as they are, calls in one; "..." is what is left out.
awk -v folder="$work" '/^```c$/ { file = sprintf("%s/%02d.txt", folder, ++number); next }
    /^```$/ { file = "" } file && $0 != "..." { print > file }' "$root/docs/capture.md"
status=0 number=0
for block in "$work"/*.txt; do
    number=$((number + 1))
    {
        printf '%s\n' "$host"
        sed '/^weir_/,$d; /^static const/,$d' "$block"
        printf 'void example(%s);\nvoid example(%s)\n{\n' "$parameters" "$parameters"
        sed -n '/^weir_/,$p; /^static const/,/^weir_/{ /^weir_/!p; }' "$block"
        echo '}'
    } >"$work/example.c"
    for way in "c c11 gcc" "c++ c++17 g++"; do
        read -r language standard compiler <<<"$way"
        "$compiler" -x "$language" -std="$standard" -Wall -Werror -I"$root/src/include" -fsyntax-only "$work/example.c" ||
            { echo "docs/capture.md: example $number does not compile with $compiler: $(head -n 1 "$block")"; status=1; }
    done
done
[ $number -ge 9 ] || { echo "docs/capture.md has only $number examples of C"; status=1; }
echo "$number examples"
exit $status
