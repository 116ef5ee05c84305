#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of 32 bits are recorded by weir of 64 bits. Both layers lie in one folder, as where both are installed, and loaders
# take that of their program.
# bash record_32.sh WEIR FOLDER PRESENT NUMBERS BUILD
[ -x "$1" ] || { echo "skipped: no $1 (./dev build)"; exit 77; }
source "$(dirname "$0")/headless_common.sh"
mkdir bin layer
cp "$program" bin
cp "$(dirname "$program")"/../layer/* "$build"/layer/* layer
program=$PWD/bin/weir
for file in "$present" layer/*_32.so; do
    [ "$(od -An -tu1 -j4 -N1 "$file")" -eq 1 ] || fail "$file is not of 32 bits"
done

# presented NAME: its movie has 40 frames in their colours.
presented() {
    expect_frames "$1.mov" 40
    awk '$4 > 6 { print; exit 1 }' "$1.mov.txt" || fail "$1: another picture: $(cat "$1.mov.txt")"
}
for size in 320x240 324x244; do
    "$program" record --quiet --policy wait --slots 40 --codec hap --output $size.mov -- \
        env VK_LAYER_PATH="$PWD/layer:$build/layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in \
        "$present" --headless --frames 40 --size $size >log.txt 2>&1 || fail "$size: status $?: $(cat log.txt)"
    [ ! -s log.txt ] || fail "$size: $(cat log.txt)"
    presented $size
done

# From a launcher.
export XDG_DATA_HOME=$PWD/data
"$program" record --install
env PATH="$PWD/bin:$PATH" WEIR_RECORD=1 WEIR_RECORD_OPTIONS="--quiet --sound none --policy wait --slots 40 --codec hap --output $PWD/launched.mov" \
    VK_LAYER_PATH="$build/layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_stand_in \
    "$present" --headless --frames 40 >log.txt 2>&1 || fail "launched: status $?: $(cat log.txt)"
[ ! -s log.txt ] || fail "launched: $(cat log.txt)"
until_true test -e launched.mov
presented launched
"$program" record --uninstall
[ -z "$(find data -type f)" ] || fail "--uninstall left $(find data -type f)"
