#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir record records programs for Windows under Wine, by Direct3D 9 and 11 on Wine's Vulkan: every frame, in its colour.
set -euo pipefail
weir=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
compiler=x86_64-w64-mingw32-gcc
for need in wine xvfb-run ffmpeg $compiler; do
    command -v $need >/dev/null || { echo "skipped: no $need (./dev windows setup)"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"
cd "$work"
$compiler -std=c11 -o game.exe "$here/game.c" -ld3d9 -ld3d11 -ldxguid -luuid
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' WINE_D3D_CONFIG=renderer=vulkan
status=0
xvfb-run -a bash -c 'wine wineboot -i; for version in 9 11; do
    "$1" record --policy wait --slots 60 --sound none --output $version.mov -- wine game.exe $version 60; done' - "$weir"
for version in 9 11; do
    # A texel of each frame; HAP Q is off by a few codes.
    ffmpeg -v fatal -i $version.mov -vf crop=1:1:160:90,format=rgb24 -fps_mode passthrough -f rawvideo - | od -An -v -tu1 -w3 |
        awk -v name="Direct3D $version" 'function off(a, b) { return a > b + 6 || a < b - 6 }
            off($1, 4 * n) || off($2, 128) || off($3, 255 - 4 * n) { print name ": frame " n " is " $0; bad = 1 }
            { n++ }
            END { print name ": " n " frames"; exit bad || n != 60 }' || status=1
done
exit $status
