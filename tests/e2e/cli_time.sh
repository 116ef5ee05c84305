#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode keeps the time stamps of a variable-rate source, from its first frame on.
source "$(dirname "$0")/cli_common.sh"

times() {
    ffprobe -v error -select_streams v:0 -show_entries frame=best_effort_timestamp_time -of csv=p=0 "$1" |
        tr -d ',' | grep .
}

# expect_times MOVIE SOURCE: equal up to the rounding of a millisecond container and of 1/90000 s.
expect_times() {
    times "$1" >movie.txt
    times "$2" >source.txt
    paste movie.txt source.txt | awk '
        NR == 1 { first = $2 }
        NF != 2 { print "another number of frames"; bad = 1; exit }
        { d = $1 - ($2 - first); if (d < 0) d = -d; if (d > 0.00002) { print "frame", NR, $1, $2; bad = 1 } }
        END { exit bad || NR < 10 }' || fail "$1 is not shown as $2 is"
    printf '%s: %s frames shown as in %s\n' "$1" "$(wc -l <movie.txt)" "$2"
}

keep="select='not(mod(n\,3))+not(mod(n\,7))'"
make variable.mkv "testsrc2=s=160x120:r=30:d=4,$keep" -vsync vfr -c:v libx264 -pix_fmt yuv420p
"$weir" transcode variable.mkv variable.mov
expect_times variable.mov variable.mkv

# A start that is not 0, B-frames, and a pause of 90 seconds in the middle.
make pause.mp4 "testsrc2=s=160x120:r=24000/1001:d=2,setpts='PTS+(5+90*gt(N\,20))/TB'" -vsync vfr \
    -c:v libx264 -bf 2 -pix_fmt yuv420p -video_track_timescale 24000
"$weir" transcode pause.mp4 pause.mov
expect_times pause.mov pause.mp4

# A sequence with a gap: the picture before it is shown for longer.
make f_%02d.png testsrc2=s=32x32:r=25:d=0.6
rm f_03.png f_04.png
"$weir" transcode f_%02d.png gap.mov 2>messages.txt
grep -q "2 numbers of the sequence have no file" messages.txt || fail "the gap was not told"
gap=$(times gap.mov | sed -n 3p)
awk -v t="$gap" 'BEGIN { exit !(t > 0.1599 && t < 0.1601) }' || fail "after the gap comes $gap"
echo passed
