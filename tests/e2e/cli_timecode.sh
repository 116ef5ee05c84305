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
expect_frames() { [[ $(probe "$1" stream=nb_read_frames -select_streams v -count_frames 2>&1) =~ ^[1-9][0-9]*$ ]] || fail "$1 does not decode"; }

# timecodes MOVIE: of all tracks that have one.
timecodes() { ffprobe -v error -show_entries stream_tags=timecode -of default=nw=1:nk=1 "$1" | xargs; }

# expect_timecode MOVIE TEXT: of the pictures, and of a track of its own.
expect_timecode() {
    [ "$(timecodes "$1")" = "$2 $2" ] || fail "$1 has the time code '$(timecodes "$1")' and should have '$2'"
    expect_frames "$1"
}

# expect_constant MOVIE RATE DURATION: every frame is as long, in ticks.
expect_constant() {
    local rates
    rates=$(probe "$1" stream=r_frame_rate,avg_frame_rate -select_streams v)
    [ "$rates" = "$2,$2" ] || fail "$1 has the rates $rates"
    probe "$1" packet=pts -select_streams v | awk -v d="$3" '$1 != d * (NR - 1) { exit 1 }' || fail "$1 is not of constant rate"
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
[ -z "$(timecodes none.mov)" ] || fail "nobody asked for time code"
"$weir" transcode sound.mkv sound.mov --quiet --timecode 00:00:00:00
expect_timecode sound.mov 00:00:00:00
[ "$(probe sound.mov stream=codec_type | xargs)" = "video audio audio data" ] || fail "the tracks of sound.mov"

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
expect_table transcode <<'LINES'
1|below the nominal rate|plain.mkv wrong.mov --timecode 10:20:30:25
1|29.97|plain.mkv wrong.mov --timecode '10:20:30;00'
1|23:59:59|plain.mkv wrong.mov --timecode 24:00:00:00
1|HH:MM:SS:FF|plain.mkv wrong.mov --timecode 10:20:30
1|HH:MM:SS:FF|plain.mkv wrong.mov --timecode now
1|no such number|clip.mov wrong.mov --timecode '00:01:00;01'
1|below the nominal rate|given.mov wrong.mov --timecode keep --fps 24
LINES
expect_no wrong.mov .weir-*

# Recovery keeps it: of movies that were cut, damaged, and killed.
size=$(stat -c %s sound.mov)
for ((i = 0; i < 4; i++)); do
    head -c $((size / 2 + $(below $((size / 2))))) sound.mov >cut.mov
    recovered "" cut.mov
    "$weir" recover cut.mov --in-place >/dev/null || fail "not recovered in place: $(stat -c %s cut.mov) bytes"
    expect_timecode new.mov 00:00:00:00
    expect_timecode cut.mov 00:00:00:00
done
cp sound.mov damaged.mov
zero damaged.mov "$(frame_at sound.mov 5)" 100
recovered "24 frames" damaged.mov
expect_timecode new.mov 00:00:00:00
begin "$program" transcode jitter.mkv killed.mov --quiet --timecode 11:22:33:44
until_true test -s killed.mov
kill -KILL $app 2>/dev/null || true
wait $app 2>/dev/null || true
app=
flock killed.mov true # the process that writes ends a moment later
"$weir" recover killed.mov --in-place >/dev/null || fail "killed"
expect_timecode killed.mov 11:22:33:44

# Frames that are lost at the beginning are counted.
cp sound.mov late.mov
zero late.mov "$(frame_at sound.mov 1)" 100
recovered "" late.mov
expect_timecode new.mov 00:00:00:01
head -c $((size * 3 / 4)) late.mov >cut.mov
recovered "" cut.mov --check
expect_timecode new.mov 00:00:00:01
expect_status 1 "leave out --in-place" "$weir" recover cut.mov --in-place --check

# The head is lost: the index has it, where it is left; else --timecode says it. What FFmpeg wrote lies elsewhere.
tail -c +4000 given.mov >headless.mov
recovered '"timecode": "10:20:31:00"' headless.mov --json
expect_json stdout.txt
grep -q '"lost": 1,' stdout.txt || fail "headless: $(cat stdout.txt)"
expect_timecode new.mov 10:20:31:00
head -c 30000 headless.mov >piece.mov
recovered "" piece.mov --size 64x48 --fps 25 --timecode 09:08:07:06
expect_timecode new.mov 09:08:07:06
rm -f new.mov
expect_status 1 "below the nominal rate" "$weir" recover piece.mov new.mov --size 64x48 --fps 25 --timecode 09:08:07:25
expect_no new.mov
make ffmpeg.mov "testsrc2=s=64x48:r=25:d=1" -c:v hap -timecode '20:00:00:00'
expect_status 0 "needs nothing" "$weir" recover ffmpeg.mov
grep -q "time code 20:00:00:00" stdout.txt || fail "FFmpeg's: $(cat stdout.txt)"
cp ffmpeg.mov damaged.mov
zero damaged.mov 0 40 /dev/urandom
recovered "without its time code.*--timecode" damaged.mov
expect_frames new.mov
recovered "" damaged.mov --timecode 20:00:00:00
expect_timecode new.mov 20:00:00:00
expect_status 0 "a time code of its own" "$weir" recover given.mov --timecode 11:11:11:11

# Straight alpha is what a movie has whose head is lost, unless it is said.
make alpha.mkv "testsrc2=s=64x48:r=25:d=1,format=rgba,colorchannelmixer=aa=0.5" -c:v ffv1
"$weir" transcode alpha.mkv alpha.mov --quiet --codec hap_q_alpha --effort fast --premultiplied
head -c 60000 alpha.mov | tail -c +700 >piece.mov
recovered "its alpha as straight.*--premultiplied" piece.mov --size 64x48 --fps 25
recovered "" piece.mov --size 64x48 --fps 25 --premultiplied
! grep -q "straight" stdout.txt stderr.txt || fail "alpha: $(cat stdout.txt stderr.txt)"
"$weir" join new.mov alpha.mov both.mov >said.txt || fail "both are premultiplied: $(cat said.txt)"

# Movies end to end: the whole counts on from the first one, which is told.
expect_status 0 "that of given.mov; those of 1 other movie are left out" "$weir" join given.mov again.mov whole.mov
expect_timecode whole.mov 10:20:30:24
rm whole.mov
expect_status 0 "none.mov has no time code, and keep.mov has: whole.mov gets none" "$weir" join none.mov keep.mov whole.mov
expect_status 0 '"timecode": "01:02:59;28"' "$weir" info keep.mov --json
expect_status 0 "time code 01:02:59;28" "$weir" info keep.mov
for movie in sound.mov keep.mov killed.mov; do
    expect_plays $movie
done
