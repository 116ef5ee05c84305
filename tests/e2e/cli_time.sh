#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode keeps the time stamps of a variable-rate source, from its first frame on.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

times() {
    ffprobe -v error -select_streams v:0 -show_entries frame=best_effort_timestamp_time -of csv=p=0 "$1" |
        tr -d ',' | grep .
}

# expect_times MOVIE SOURCE [RATE]: equal up to the rounding of 1/90000 s. With a rate, equal up to a tick of a container
# of milliseconds, and whole numbers of frames.
expect_times() {
    times "$1" >movie.txt
    times "$2" >source.txt
    paste movie.txt source.txt | awk -v rate="${3-0}" '
        NR == 1 { first = $2 }
        NF != 2 { print "another number of frames"; bad = 1; exit }
        { d = $1 - ($2 - first); if (d < 0) d = -d; if (d > (rate ? 0.0011 : 0.00002)) { print "frame", NR, $1, $2; bad = 1 } }
        rate { k = int($1 * rate + 0.5); d = $1 - k / rate; if (d < 0) d = -d
               if (d > 0.00002) { print "frame", NR, $1, "is not of", rate; bad = 1 } }
        END { exit bad || NR < 10 }' || fail "$1 is not shown as $2 is"
    printf '%s: %s frames shown as in %s\n' "$1" "$(wc -l <movie.txt)" "$2"
}

keep="select='not(mod(n\,3))+not(mod(n\,7))'"
make variable.mkv "testsrc2=s=160x120:r=30:d=4,$keep" -vsync vfr -c:v libx264 -pix_fmt yuv420p
"$weir" transcode variable.mkv variable.mov
expect_times variable.mov variable.mkv 30

# The same by a pipe, which one thread reads for frames and sound.
ffmpeg -nostdin -v error -i variable.mkv -f lavfi -i sine=d=4 -c:v copy -c:a pcm_s16le -f matroska - |
    "$weir" transcode - piped.mov
expect_times piped.mov variable.mkv 30

# expect_constant FILE RATE: a movie of it has frames of one length, and so many of them a second.
expect_constant() {
    "$weir" transcode "$1" constant.mov --quiet 2>messages.txt
    ! grep damaged messages.txt || fail "$1 is whole"
    [ "$(ffprobe -v error -select_streams v -show_entries packet=duration -of csv=p=0 constant.mov | sort -u | wc -l)" = 1 ] ||
        fail "$1 of $2 frames a second has frames of several lengths"
    rate=$(ffprobe -v error -select_streams v -show_entries stream=avg_frame_rate -of csv=p=0 constant.mov)
    [ "$rate" = "$2" ] || fail "$1 of $2 frames a second has $rate"
}

# state FILE [BYTES]: the length of a frame in a Matroska file becomes these 4 bytes; without any it has none.
state() {
    local at size bytes=${2-}
    at=$(LC_ALL=C grep -obUaP '\x23\xe3\x83[\x83\x84]' "$1" | head -n 1 | cut -d: -f1)
    size=$(od -An -t u1 -j $((at + 3)) -N 1 "$1")
    printf '%b' "${bytes:-\\xec\\x$(printf %x $((size + 2)))}" | dd of="$1" bs=1 seek=$((at + (${#bytes} > 0 ? 4 : 0))) conv=notrunc status=none
}

# Matroska, FLV and GIF round times, but frames of a constant rate have one length. So have those of MPEG-TS at 23.976.
for per_second in $(numbers_of 24000/1001 30/1 30000/1001 60000/1001 144/1 25/2); do
    make constant.mkv "testsrc2=s=64x48:r=$per_second:d=2" -c:v ffv1
    expect_constant constant.mkv $per_second
    make constant.flv "testsrc2=s=64x48:r=$per_second:d=2" -c:v flv1
    expect_constant constant.flv $per_second
done
make constant.gif testsrc2=s=64x48:r=30:d=2
expect_constant constant.gif 30/1
make constant.ts testsrc2=s=64x48:r=24000/1001:d=2 -c:v mpeg4
expect_constant constant.ts 24000/1001
make constant.mp4 "testsrc2=s=64x48:r=60:d=2,setpts=PTS+7" -c:v mpeg4 -video_track_timescale 1000
expect_constant constant.mp4 60/1

# Frames that were dropped leave a gap; the other ones keep their length to the tick, and so does the last one.
for kind in mpeg4:mp4 mjpeg:mov; do
    make "dropped.${kind#*:}" "testsrc2=s=64x48:r=30000/1001:d=3,select='lt(n,30)+gt(n,52)'" -fps_mode vfr -c:v "${kind%:*}"
    "$weir" transcode "dropped.${kind#*:}" gap_of_movie.mov --quiet
    lengths=$(ffprobe -v error -select_streams v -show_entries packet=duration_time -of csv=p=0 gap_of_movie.mov | sort -u | xargs)
    [ "$lengths" = "0.033367 0.800800" ] || fail "$kind with a gap has frames of the lengths $lengths"
done

# The rate that the times have counts, where a file states none or another one. Its last frame has that length too.
make stated.mkv testsrc2=s=64x48:r=30:d=2 -c:v ffv1
state stated.mkv
expect_constant stated.mkv 30/1
for per_second in $(numbers_of 48/1 72/1 90/1 144/1 165/1); do
    for codec in ffv1 libx264; do
        make stated.mkv testsrc2=s=64x48:r=$per_second:d=1 -c:v "$codec" -bf 0
        state stated.mkv
        expect_constant stated.mkv $per_second
    done
done
make slow.mkv testsrc2=s=64x48:r=1/2:d=4 -c:v ffv1
state slow.mkv
"$weir" transcode slow.mkv slow.mov --quiet 2>messages.txt
[ ! -s messages.txt ] || fail "slow.mkv: $(<messages.txt)"
if [ -z "$sanitized" ]; then # it is long
    make stated.mkv testsrc2=s=64x48:r=30000/1001:d=60 -c:v ffv1
    state stated.mkv '\x01\xfc\xa0\x55' # 30
    "$weir" transcode stated.mkv stated.mov --quiet
    times stated.mov | awk 'NR == 1 || NR > 1000 { d = $1 - (NR - 1) * 1.001 / 30; if (d * d > 4e-10) print NR, $1 }' >wrong.txt
    [ ! -s wrong.txt ] || fail "60 s of 29.97 frames a second: $(head -n 3 wrong.txt)"
fi

# Times of their own stay, to the tick.
make own.mkv "testsrc2=s=64x48:r=25:d=2,settb=1/1000,setpts='PTS+12*sin(N*N)'" -fps_mode passthrough \
    -enc_time_base 1/1000 -c:v ffv1
"$weir" transcode own.mkv own.mov
expect_times own.mov own.mkv
# No rate is stated: the last one is shown for the mean of all.
awk -F, 'END { exit !($1 > 0.03 && $1 < 0.05) }' \
    <(ffprobe -v error -select_streams v -show_entries packet=duration_time -of csv=p=0 own.mov) || fail "the last frame of own.mov"

# A start that is not 0, B-frames, and a pause of 90 seconds in the middle.
make pause.mp4 "testsrc2=s=160x120:r=24000/1001:d=2,setpts='PTS+(5+90*gt(N\,20))/TB'" -vsync vfr \
    -c:v libx264 -bf 2 -pix_fmt yuv420p -video_track_timescale 24000
"$weir" transcode pause.mp4 pause.mov
expect_times pause.mov pause.mp4

# A movie that begins late lacks nothing, whether its container counts its length from 0 or from its first frame.
for kind in mkv flv nut mp4; do
    ffmpeg -nostdin -v error -y -itsoffset 5 -i pause.mp4 -t 7 -c copy late.$kind
    "$weir" transcode late.$kind late.mov --quiet 2>messages.txt
    ! grep "damaged or cut short" messages.txt || fail "late.$kind is whole"
done

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

# Numbers from below 0 on, with and without their sign as a digit, and #### for %04d.
mkdir signs
for number in -0002 -001 0000 0001 0003; do
    cp f_01.png "signs/s.$number.png"
done
expect_status 0 "1 number is missing: 2; " "$weir" transcode signs/s.####.png signs.mov --quiet
[ "$(times signs.mov | xargs)" = "$(for k in 0 1 2 3 5; do echo "$k"; done | awk '{ printf "%f ", $1 / 25 }' | xargs)" ] ||
    fail "signs.mov has the times $(times signs.mov | xargs)"
rm signs/s.0000.png
expect_status 0 "2 numbers are missing: 0, 2; " "$weir" transcode signs/s.%04d.png signs.mov --quiet
cp f_01.png signs/s.-002.png
expect_status 1 "have the same number; rename one of them" "$weir" transcode signs/s.%04d.png signs.mov
expect_status 1 "a name" "$weir" transcode 'none.####.png' out.mov

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
