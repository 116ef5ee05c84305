#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme.sh PROGRAM WORK_DIR: the program of README.md is the one that is built, its window is resized, and its two
# movies hold every frame of the render loop, in order, with the greys that were drawn.
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

# expect_movie FILE SIZE FIRST LAST: one texel of each frame has the grey of its number.
expect_movie() {
    local facts got want
    facts=$(ffprobe -v error -select_streams v:0 -count_frames -of csv=p=0 \
        -show_entries stream=codec_tag_string,width,height,nb_read_frames "$1")
    [ "$facts" = "HapY,$2,$(($4 - $3 + 1))" ] || fail "$1: ffprobe says $facts"
    got=$(ffmpeg -nostdin -v error -i "$1" -vf crop=1:1:100:100,format=rgb24 -f rawvideo - |
        od -An -v -tu1 -w3 | awk '{ print $1 "," $2 "," $3 }')
    want=$(for i in $(seq "$3" "$4"); do echo "$((12 * i)),$((12 * i)),$((12 * i))"; done)
    [ "$got" = "$want" ] || { echo "decoded:" $got; fail "$1: wanted: " $want; }
}
expect_movie movie-1.mov 320,180 0 11
expect_movie movie-2.mov 203,117 12 19
[ "$(ls)" = "movie-1.mov
movie-2.mov" ] || fail "other files: $(ls)"
