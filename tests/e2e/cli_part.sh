#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --part and weir join: for any number of parts, in any order, byte for byte the movie of one run.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg

# expect_parts N WHOLE ARGUMENTS...: N parts by these arguments of weir transcode become that movie.
expect_parts() {
    local num=$1 whole=$2 k
    shift 2
    rm -f part.*.mov joined.mov
    for ((k = 1; k <= num; k++)); do
        "$weir" transcode "$@" part.$k.mov --part $k/$num --quiet 2>words.txt
    done
    "$weir" join $(printf 'part.%s.mov\n' $(seq $num -1 1)) joined.mov --quiet || fail "$num parts of $*"
    cmp joined.mov "$whole" || fail "$num parts of $* are another movie"
    printf '%s parts: %s bytes of %s\n' $num "$(stat -c %s joined.mov)" "$*"
}

cat >chapters.txt <<TEXT
;FFMETADATA1
title=A day
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=One
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=1430
title=
[CHAPTER]
TIMEBASE=1/1000
START=1430
END=3000
title=Two
TEXT
# Two tracks of audio, of which one has parts of samples a frame; small frames, and those that are written in whole blocks.
make clip.mkv testsrc2=s=100x76:r=30000/1001:d=3 -f lavfi -i "aevalsrc='random(0)|sin(t*900)':s=44100:d=3.4" \
    -f lavfi -i sine=r=48000:d=2.7 -i chapters.txt -map 0 -map 1 -map 2 -map_metadata 3 -c:v ffv1 -c:a:0 pcm_s24le -c:a:1 aac \
    -metadata:s:a:1 language=fra -timecode "01:00:00;00"
options=(--effort fast --timecode "01:00:00;00" --compression snappy)
"$weir" transcode clip.mkv whole.mov "${options[@]}" --quiet
"$weir" transcode clip.mkv again.mov "${options[@]}" --quiet
cmp whole.mov again.mov || fail "a movie with audio is another one in each run"
[ "$(probe whole.mov stream=codec_type | sort | uniq -c | tr -d '\n ')" = 2audio1data1video ] || fail "the tracks of whole.mov"
for num in $(numbers_of 3 1 2 8); do
    expect_parts $num whole.mov clip.mkv "${options[@]}"
done
expect_status 0 "it needs nothing" "$weir" recover joined.mov

make large.mov testsrc2=s=640x416:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -c:v libx264 -g 12 -pix_fmt yuv420p -c:a pcm_s16le
"$weir" transcode large.mov whole.mov --effort fast --quiet
expect_parts 3 whole.mov large.mov --effort fast
"$weir" transcode large.mov whole.mov --effort fast --fps 10 --no-audio --quiet
expect_parts 10 whole.mov large.mov --effort fast --fps 10 --no-audio

# Pictures with the audio of a file, which is longer.
make p_%02d.png testsrc2=s=64x48:r=24:d=1 -frames:v 17
rm p_04.png
make long.wav sine=r=44100:d=2
options=(--effort fast --fps 24000/1001 --sound-from long.wav)
"$weir" transcode p_%02d.png whole.mov "${options[@]}" --quiet
for num in 1 4; do
    expect_parts $num whole.mov p_%02d.png "${options[@]}"
done

# What is refused; a part that is there is replaced, and none is left out or comes from elsewhere.
rm joined.mov
expect_status 1 "part 2 of 4 is missing" "$weir" join part.1.mov part.3.mov part.4.mov joined.mov
expect_status 1 "part 4 of 4 is missing" "$weir" join part.1.mov part.2.mov part.3.mov joined.mov --gaps
expect_status 1 "part 1 of 4 is missing" "$weir" join part.2.mov joined.mov
expect_status 1 "both part 2" "$weir" join part.[1-4].mov part.2.mov joined.mov
"$weir" transcode p_%02d.png other.mov --part 2/4 --fps 24 --quiet
expect_status 1 "different movies" "$weir" join part.1.mov other.mov part.[34].mov joined.mov
expect_no joined.mov
head -c 3000 part.2.mov >cut.mov
expect_status 1 "cut.mov" "$weir" join part.1.mov cut.mov part.[34].mov joined.mov
mv cut.mov part.2.mov
"$weir" transcode p_%02d.png part.2.mov --part 2/4 "${options[@]}" --quiet
"$weir" join part.*.mov joined.mov --quiet
cmp joined.mov whole.mov || fail "a part that was cut short is not replaced"
for part in 0/2 3/2 1 1/ /2 1/0 a/b 1/2/3 -1/2 1/70000 1.5/2; do
    expect_status 2 "it is K/N" "$weir" transcode large.mov none.mov --part $part
done
expect_status 2 "leave out --range and --frames" "$weir" transcode large.mov none.mov --part 1/2 --frames 3
expect_status 2 "not with a folder" "$weir" transcode large.mov folder/ --part 1/2
expect_status 1 "25 frames, which are no 26 parts; use fewer" "$weir" transcode large.mov none.mov --part 1/26
expect_status 1 "it is a pipe" "$weir" transcode - none.mov --part 1/2 < <(cat clip.mkv)
ffmpeg -nostdin -v error -i large.mov -c copy -f h264 raw.h264
expect_status 1 "does not say how long it is" "$weir" transcode raw.h264 none.mov --part 1/2
expect_no none.mov
expect_clean
