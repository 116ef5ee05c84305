#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode keeps the time stamps of a variable-rate source, from its first frame on.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

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

# The same by a pipe, which one thread reads for frames and sound.
ffmpeg -nostdin -v error -i variable.mkv -f lavfi -i sine=d=4 -c:v copy -c:a pcm_s16le -f matroska - |
    "$weir" transcode - piped.mov
expect_times piped.mov variable.mkv

# A start that is not 0, B-frames, and a pause of 90 seconds in the middle.
make pause.mp4 "testsrc2=s=160x120:r=24000/1001:d=2,setpts='PTS+(5+90*gt(N\,20))/TB'" -vsync vfr \
    -c:v libx264 -bf 2 -pix_fmt yuv420p -video_track_timescale 24000
"$weir" transcode pause.mp4 pause.mov
expect_times pause.mov pause.mp4

# A sequence with a gap: the picture before it is shown for longer.
make f_%02d.png testsrc2=s=32x32:r=25:d=0.6
rm f_03.png f_04.png
expect_status 0 "2 numbers are missing: 3-4; " "$weir" transcode f_%02d.png gap.mov
gap=$(times gap.mov | sed -n 3p)
awk -v t="$gap" 'BEGIN { exit !(t > 0.1599 && t < 0.1601) }' || fail "after the gap comes $gap"

# Gaps of every kind are told by their numbers.
mkdir gaps
for number in 8 9 11 15 16 18; do
    cp f_01.png gaps/s_$number.png
done
expect_status 0 "5 numbers are missing: 10, 12-14, 17; " "$weir" transcode gaps/s_%d.png gaps.mov --quiet
for number in 20 22 24 26 28; do
    cp f_01.png gaps/s_$number.png
done
expect_status 0 "10 numbers are missing: 10, 12-14, 17, 19, 21, 23, ...; " "$weir" transcode gaps/s_%d.png gaps.mov --quiet

# Numbers that jump by more than a movie can store: frames are lost, which is told and no success.
mkdir jump
for number in 1 2 7000000 7000001 900000000000000000 999999999999999999; do
    cp f_01.png jump/j_$number.png
done
expect_status 1 "jump.mov lacks 4 of 6 frames" "$weir" transcode jump/j_%d.png jump.mov
expect_status 1 "jump.mov lacks 4 of 6 frames" "$weir" transcode jump/j_%d.png jump.mov --quiet
grep -q "s after the last frame, more than a movie can store" stderr.txt || fail "not told why: $(cat stderr.txt)"
! grep -q "weir_\|capture" stderr.txt || fail "told in words of the API: $(cat stderr.txt)"
expect_movie jump.mov 32 32 2

# So do times of a movie.
make hours.mkv "testsrc2=s=32x32:r=25:d=0.2,setpts='PTS+(30000*gt(N\,2))/TB'" -vsync vfr -c:v ffv1
expect_status 1 "hours.mov lacks 2 of 5 frames" "$weir" transcode hours.mkv hours.mov --quiet

# Numbers of many digits: zeros before them do not count, and what is too large is told.
cp f_01.png long_0000000000000000000000000000000000000007.png
cp f_02.png long_0000000000000000000000000000000000000008.png
"$weir" transcode long_%040d.png long.mov
expect_movie long.mov 32 32 2
for number in 9223372036854775809 18446744073709551617 99999999999999999999999999999999; do
    cp f_01.png jump/j_$number.png
    expect_status 1 "j_$number.png: its number has more than 18 digits; rename it" "$weir" transcode jump/j_%d.png large.mov
    rm jump/j_$number.png
done
expect_no large.mov
echo passed
