#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# steps.sh PROGRAM WORK_DIR: the code blocks of docs/capture-in-ten-steps.md are the program that is built, and
# it makes a movie of each size of its images, with the greys that were drawn.
set -euo pipefail
program=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../../docs/capture-in-ten-steps.md
fail() { echo "$*"; exit 1; }

# All C blocks of the page, a blank line between them, against the program without its three opening lines.
shown=$(awk '/^```c$/ { if (num++) print ""; on = 1; next } /^```$/ { on = 0 } on' "$page")
[ "$shown" = "$(tail -n +4 "$here/steps.c")" ] || {
    diff <(echo "$shown") <(tail -n +4 "$here/steps.c") || true
    fail "$page shows another program than tests/e2e/steps/steps.c"
}
[ "$(grep -c '^## [0-9]*\. ' "$page")" = 10 ] || fail "not ten steps"

rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$program" | tee log.txt || exit $? # 77: no Vulkan device
! grep -qi validation log.txt || fail "the validation layer has spoken"

# movie NUMBER WIDTH HEIGHT: its frames are those that were counted, and each is a grey of its own.
movie() {
    local facts num
    num=$(sed -n "s/^$1: \([0-9]*\) frames, .*/\1/p" log.txt)
    facts=$(ffprobe -v error -select_streams v:0 -count_frames -of csv=p=0 \
        -show_entries stream=codec_tag_string,width,height,nb_read_frames "movie-$1.mov")
    [ "$facts" = "HapY,$2,$3,$num" ] || fail "ffprobe says $facts of movie-$1.mov, and $num were written"
    ffmpeg -nostdin -v error -i "movie-$1.mov" -vf crop=1:1:100:100,format=rgb24 -vsync passthrough -f rawvideo - |
        od -An -v -tu1 -w3 >>greys.txt
}
movie 1 320 180
movie 2 203 117
# With the default policy a frame may be dropped; the greys of the others only rise, in steps of twelve.
awk '$1 != $2 || $1 != $3 || $1 % 12 || (NR > 1 && $1 <= last) { exit 1 } { last = $1 }' greys.txt ||
    fail "other greys than were drawn: $(tr '\n' ';' <greys.txt)"
dropped=$(awk '{ sum += $4 } END { print sum }' log.txt)
[ $(($(wc -l <greys.txt) + dropped)) = 20 ] || fail "not every frame is written or dropped: $(cat log.txt)"
