#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --timecode: tracks of time code, by ffprobe and mpv; what is refused; and that weir recover keeps them,
# of movies that were killed, cut and damaged.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
RANDOM=$seed

# expect_frames MOVIE: every frame decodes. That FFmpeg has no decoder for time code is a warning, no error.
expect_frames() {
    local frames
    frames=$(ffprobe -v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1" 2>&1)
    [[ $frames =~ ^[1-9][0-9]*$ ]] || fail "$1 does not decode: $frames"
}

# expect_timecode MOVIE TEXT: of the pictures, and of a track of its own.
expect_timecode() {
    local said
    said=$(ffprobe -v error -show_entries stream_tags=timecode -of default=nw=1:nk=1 "$1" | xargs)
    [ "$said" = "$2 $2" ] || fail "$1 has the time code '$said' and should have '$2'"
    expect_frames "$1"
}

# expect_constant MOVIE RATE DURATION: every frame is as long, in ticks.
expect_constant() {
    local rates
    rates=$(ffprobe -v error -select_streams v -show_entries stream=r_frame_rate,avg_frame_rate -of csv=p=0 "$1")
    [ "$rates" = "$2,$2" ] || fail "$1 has the rates $rates"
    ffprobe -v error -select_streams v -show_entries packet=pts -of csv=p=0 "$1" | awk -v d="$3" '$1 != d * (NR - 1) { exit 1 }' ||
        fail "$1 is not of constant rate"
}

make clip.mov "testsrc2=s=64x48:r=30000/1001:d=2" -c:v mpeg4 -timecode '01:02:59;28'
make plain.mkv "testsrc2=s=64x48:r=25:d=1" -c:v ffv1
make jitter.mkv "testsrc2=s=48x32:r=50:d=2,setpts=N/50/TB+mod(N\,3)*0.006/TB" -c:v ffv1 -fps_mode vfr
ffmpeg -nostdin -v error -y -i plain.mkv -f lavfi -i "sine=d=1" -map 0 -map 1 -map 1 -c:v copy -c:a pcm_s16le sound.mkv

# Given, and that of the input: FFmpeg's and our own.
"$weir" transcode plain.mkv given.mov --quiet --timecode 10:20:30:24
expect_timecode given.mov 10:20:30:24
"$weir" transcode given.mov again.mov --quiet --timecode keep
expect_timecode again.mov 10:20:30:24
"$weir" transcode clip.mov keep.mov --quiet --timecode keep
expect_timecode keep.mov '01:02:59;28'
"$weir" transcode clip.mov range.mov --quiet --timecode keep --range 1-
expect_timecode range.mov '01:03:01;00'
"$weir" transcode clip.mov none.mov --quiet
[ -z "$(ffprobe -v error -show_entries stream_tags=timecode -of default=nw=1:nk=1 none.mov)" ] || fail "nobody asked for time code"
"$weir" transcode sound.mkv sound.mov --quiet --timecode 00:00:00:00
expect_timecode sound.mov 00:00:00:00
[ "$(ffprobe -v error -show_entries stream=codec_type -of csv=p=0 sound.mov | xargs)" = "video audio audio data" ] || fail "the tracks of sound.mov"

# A rate that is asked for is constant, and the one that time code counts.
"$weir" transcode jitter.mkv constant.mov --quiet --fps 24 --timecode 00:59:59:23
expect_timecode constant.mov 00:59:59:23
expect_constant constant.mov 24/1 3750

# A folder of movies: each keeps its own.
mkdir movies
"$weir" transcode clip.mov given.mov movies/ --quiet --timecode keep
expect_timecode movies/clip.mov '01:02:59;28'
expect_timecode movies/given.mov 10:20:30:24

# Nothing to keep is told; what is wrong is refused, and nothing is left.
expect_status 0 "has no time code" "$weir" transcode plain.mkv without.mov --quiet --timecode keep
expect_frames without.mov
for wrong in "10:20:30:25|no such frame" "10:20:30;00|29.97" "24:00:00:00|23:59:59" "10:20:30|HH:MM:SS:FF" "now|HH:MM:SS:FF"; do
    expect_status 1 "${wrong#*|}" "$weir" transcode plain.mkv wrong.mov --timecode "${wrong%|*}"
    expect_no wrong.mov
done
expect_status 1 "leaves this number out" "$weir" transcode clip.mov wrong.mov --timecode '00:01:00;01'
expect_status 1 "no such frame" "$weir" transcode given.mov wrong.mov --timecode keep --fps 24
expect_no wrong.mov .weir-*

# Recovery keeps it: of movies that were cut, damaged, and killed.
size=$(stat -c %s sound.mov)
for ((i = 0; i < 4; i++)); do
    rm -f new.mov
    cut=$((size / 2 + (RANDOM << 15 | RANDOM) % (size / 2)))
    head -c $cut sound.mov >cut.mov
    "$weir" recover cut.mov new.mov >/dev/null || fail "cut at $cut"
    expect_timecode new.mov 00:00:00:00
    "$weir" recover cut.mov --in-place >/dev/null || fail "cut at $cut, in place"
    expect_timecode cut.mov 00:00:00:00
done
cp sound.mov damaged.mov
frame=$(ffprobe -v error -select_streams v -show_entries packet=pos -of csv=p=0 sound.mov | sed -n 5p)
dd if=/dev/zero of=damaged.mov bs=1 seek="$frame" count=100 conv=notrunc 2>/dev/null
rm -f new.mov
expect_status 0 "24 frames" "$weir" recover damaged.mov new.mov
expect_timecode new.mov 00:00:00:00
"$program" transcode jitter.mkv killed.mov --quiet --timecode 11:22:33:44 &
pid=$!
while [ ! -s killed.mov ] && kill -0 $pid 2>/dev/null; do
    sleep 0.001
done
kill -KILL $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
[ ! -e killed.mov ] || flock killed.mov true # the process that writes ends a moment later
"$weir" recover killed.mov --in-place >/dev/null || fail "killed"
expect_timecode killed.mov 11:22:33:44

# Frames that are lost at the beginning are counted.
cp sound.mov late.mov
frame=$(ffprobe -v error -select_streams v -show_entries packet=pos -of csv=p=0 sound.mov | sed -n 1p)
dd if=/dev/zero of=late.mov bs=1 seek="$frame" count=100 conv=notrunc 2>/dev/null
rm -f new.mov
"$weir" recover late.mov new.mov >said.txt || fail "late: $(cat said.txt)"
expect_timecode new.mov 00:00:00:01
head -c $((size * 3 / 4)) late.mov >cut.mov
rm -f new.mov
"$weir" recover cut.mov new.mov --check >said.txt || fail "late and cut: $(cat said.txt)"
expect_timecode new.mov 00:00:00:01
expect_status 1 "leave out --in-place" "$weir" recover cut.mov --in-place --check

# The head is lost: the index has it, where it is left; else --timecode says it. What FFmpeg wrote lies elsewhere.
tail -c +4000 given.mov >headless.mov
rm -f new.mov
"$weir" recover headless.mov new.mov --json >report.json || fail "headless: $(cat report.json)"
expect_json report.json
lost=$(sed -n 's/.*"lost": \([0-9]*\),/\1/p' report.json)
grep -q '"timecode": "10:20:31:00"' report.json && [ "$lost" = 1 ] || fail "headless: $(cat report.json)"
expect_timecode new.mov 10:20:31:00
head -c 30000 headless.mov >piece.mov
rm -f new.mov
"$weir" recover piece.mov new.mov --size 64x48 --fps 25 --timecode 09:08:07:06 >said.txt || fail "a piece: $(cat said.txt)"
expect_timecode new.mov 09:08:07:06
rm -f new.mov
expect_status 1 "no such frame" "$weir" recover piece.mov new.mov --size 64x48 --fps 25 --timecode 09:08:07:25
expect_no new.mov
make ffmpeg.mov "testsrc2=s=64x48:r=25:d=1" -c:v hap -timecode '20:00:00:00'
"$weir" recover ffmpeg.mov >said.txt || fail "FFmpeg's: $(cat said.txt)"
grep -q "needs nothing" said.txt && grep -q "time code 20:00:00:00" said.txt || fail "FFmpeg's: $(cat said.txt)"
cp ffmpeg.mov damaged.mov
dd if=/dev/urandom of=damaged.mov bs=1 count=40 conv=notrunc 2>/dev/null
expect_status 0 "without its time code.*--timecode" "$weir" recover damaged.mov new.mov
expect_frames new.mov
rm -f new.mov
"$weir" recover damaged.mov new.mov --timecode 20:00:00:00 >/dev/null || fail "FFmpeg's with a time code"
expect_timecode new.mov 20:00:00:00
expect_status 0 "a time code of its own" "$weir" recover given.mov --timecode 11:11:11:11

# Straight alpha is what a movie has whose head is lost, unless it is said.
make alpha.mkv "testsrc2=s=64x48:r=25:d=1,format=rgba,colorchannelmixer=aa=0.5" -c:v ffv1
"$weir" transcode alpha.mkv alpha.mov --quiet --codec hap_q_alpha --premultiplied
head -c 60000 alpha.mov | tail -c +700 >piece.mov
rm -f new.mov
expect_status 0 "taken as straight.*--premultiplied" "$weir" recover piece.mov new.mov --size 64x48 --fps 25
rm new.mov
"$weir" recover piece.mov new.mov --size 64x48 --fps 25 --premultiplied >said.txt || fail "alpha: $(cat said.txt)"
! grep -q "straight" said.txt || fail "alpha: $(cat said.txt)"
"$weir" join new.mov alpha.mov both.mov >said.txt || fail "both are premultiplied: $(cat said.txt)"

# Movies end to end: the whole counts on from the first one, which is told.
"$weir" join given.mov again.mov whole.mov >said.txt
expect_timecode whole.mov 10:20:30:24
grep -q "that of given.mov; those of 1 other movie are left out" said.txt || fail "end to end: $(cat said.txt)"
rm whole.mov
expect_status 0 "none.mov has no time code, and keep.mov has: whole.mov gets none" "$weir" join none.mov keep.mov whole.mov
"$weir" info keep.mov --json >report.json
grep -q '"timecode": "01:02:59;28"' report.json || fail "info: $(cat report.json)"
"$weir" info keep.mov | grep "time code 01:02:59;28" >said.txt || fail "info: $("$weir" info keep.mov)"

if command -v mpv >/dev/null; then
    for movie in sound.mov keep.mov killed.mov; do
        mpv --no-config --vo=null --ao=null --untimed --msg-level=all=warn $movie >mpv.txt 2>&1 || fail "mpv: $(cat mpv.txt)"
        ! grep -qi "error" mpv.txt || fail "mpv: $(cat mpv.txt)"
    done
fi
