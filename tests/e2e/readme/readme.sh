#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme.sh PROGRAM WORK_DIR: the program of README.md is the one that is built, and its movie holds every
# frame of the render loop, in order, with the greys that were drawn.
set -euo pipefail
program=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "$*"; exit 1; }

# The first C block of the README against the program without its three opening lines.
shown=$(awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' "$here/../../../README.md")
[ "$shown" = "$(tail -n +4 "$here/record.c")" ] || {
    diff <(echo "$shown") <(tail -n +4 "$here/record.c") || true
    fail "README.md shows another program than tests/e2e/readme/record.c"
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$program" || exit $? # 77: no Vulkan device
facts=$(ffprobe -v error -select_streams v:0 -count_frames -of csv=p=0 \
    -show_entries stream=codec_tag_string,width,height,nb_read_frames movie.mov)
[ "$facts" = "HapY,320,180,20" ] || fail "ffprobe says $facts"
# One texel of each frame.
got=$(ffmpeg -nostdin -v error -i movie.mov -vf crop=1:1:100:100,format=rgb24 -f rawvideo - |
    od -An -v -tu1 -w3 | awk '{ print $1 "," $2 "," $3 }')
want=$(for i in $(seq 0 19); do echo "$((12 * i)),$((12 * i)),$((12 * i))"; done)
[ "$got" = "$want" ] || { echo "decoded:" $got; fail "wanted: " $want; }
