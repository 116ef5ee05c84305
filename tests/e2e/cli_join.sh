#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir join: movies of Weir's and of FFmpeg's, and what is refused; judged by ffprobe, ffmpeg and mpv.
# tests/capture/segments_test.c joins segments.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# frames MOVIE: a line a frame: its time and the hash of its bytes.
frames() {
    ffprobe -v error -select_streams v -show_entries packet=pts_time,data_hash -show_data_hash md5 -of csv=p=0 "$1" 2>&1
}

# sound MOVIE TRACK: its samples.
sound() { ffmpeg -nostdin -v error -xerror -i "$1" -map "0:a:$2" -c copy -f data -; }

# expect_frames MOVIE START...: the frames of the parts, each of which begins at that time. Parts are a.mov, b.mov, ...
expect_frames() {
    local movie=$1 part=0 names=({a..z}) start
    shift
    : >want.txt
    for start in "$@"; do
        frames ${names[part]}.mov | awk -F, -v at="$start" '{ printf "%.3f,%s\n", $1 + at, $2 }' >>want.txt
        part=$((part + 1))
    done
    frames "$movie" | awk -F, '{ printf "%.3f,%s\n", $1, $2 }' >got.txt
    cmp got.txt want.txt || fail "$movie: $(diff got.txt want.txt | head -n 4)"
    expect_decodes "$movie"
}

# Weir's own, with the sound of two tracks, one of them with a language: the sound of each part begins with its frames.
for part in a b; do
    ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=48x32:r=50:d=1" -f lavfi -i "sine=f=300:r=48000:d=1" \
        -f lavfi -i "sine=f=700:r=44100:d=1" -map 0 -map 1 -map 2 -metadata:s:a:1 language=fra -c:v ffv1 -c:a pcm_s24le $part.mkv
    "$weir" transcode $part.mkv $part.mov --quiet
done
expect_status 0 "^out.mov: 100 frames of 48x32, 2.000 s, of 2 movies$" "$weir" join a.mov b.mov out.mov
grep -q "audio 1: 24-bit, 48000 Hz, 1 channel, 2.000 s" stdout.txt || fail "it says $(cat stdout.txt)"
grep -q "audio 2: 24-bit, 44100 Hz, 1 channel, fra, 2.000 s" stdout.txt || fail "it says $(cat stdout.txt)"
expect_frames out.mov 0 1
for track in 0 1; do
    cmp <(sound a.mov $track; sound b.mov $track) <(sound out.mov $track) || fail "track $track is not that of both"
done
[ "$(ffprobe -v error -show_entries stream_tags=language -of csv=p=0 out.mov | grep -c fra)" = 1 ] || fail "the language is lost"
expect_status 0 "it needs nothing" "$weir" recover out.mov
size=$(stat -c %s out.mov)
head -c $((size - 3000)) out.mov >cut.mov
"$weir" recover cut.mov --in-place >said.txt || fail "what was joined and then cut is not recovered: $(cat said.txt)"
expect_decodes cut.mov
expect_plays out.mov

# FFmpeg's: many samples a chunk, edit lists, sound that ends later or earlier than the frames, or begins later.
for part in a b; do
    make $part.mkv "testsrc2=s=64x48:r=25:d=1" -c:v hap
done
ffmpeg -nostdin -v error -y -i a.mkv -f lavfi -i "sine=r=48000:d=1.5" -c:v copy -c:a pcm_s16le -map 0 -map 1 -video_track_timescale 12800 a.mov
ffmpeg -nostdin -v error -y -i b.mkv -f lavfi -i "sine=r=48000:d=0.5" -c:v copy -c:a pcm_s16le -map 0 -map 1 -video_track_timescale 12800 b.mov
rm out.mov
"$weir" join a.mov b.mov out.mov >said.txt
expect_frames out.mov 0 1.5
cmp <(sound a.mov 0; sound b.mov 0) <(sound out.mov 0) || fail "sound that is longer than its frames"
rm out.mov
expect_status 0 "24000 samples of silence" "$weir" join b.mov a.mov out.mov
cmp <(sound b.mov 0; head -c 48000 /dev/zero; sound a.mov 0) <(sound out.mov 0) || fail "sound that is shorter than its frames"
ffmpeg -nostdin -v error -y -i a.mkv -itsoffset 0.25 -f lavfi -i "sine=r=48000:d=0.5" -c:v copy -c:a pcm_s16le -map 0 -map 1 -video_track_timescale 12800 b.mov
rm out.mov
"$weir" join a.mov b.mov out.mov >said.txt
cmp <(sound a.mov 0; head -c 24000 /dev/zero; sound b.mov 0) <(sound out.mov 0) || fail "sound that begins later"
rm out.mov
expect_status 0 '"samples": 72000' "$weir" join a.mov out.mov --json
expect_json stdout.txt

# What is not alike, and slips.
"$weir" transcode a.mkv weir.mov --quiet
make small.mov "testsrc2=s=32x32:r=25:d=0.2" -c:v hap
make slow.mov "testsrc2=s=64x48:r=25:d=0.2" -c:v hap -video_track_timescale 600
make alpha.mov "testsrc2=s=64x48:r=25:d=0.2,format=rgba" -c:v hap -format hap_alpha
make jpeg.mov "testsrc2=s=64x48:r=25:d=0.2" -c:v mjpeg
make mute.mov "testsrc2=s=64x48:r=25:d=0.2" -c:v hap
make aac.mov "testsrc2=s=64x48:r=25:d=0.2" -f lavfi -i "sine=d=0.2" -c:v hap -c:a aac -map 0 -map 1
make rate.mov "testsrc2=s=64x48:r=25:d=0.2" -f lavfi -i "sine=r=44100:d=0.2" -c:v hap -c:a pcm_s16le -map 0 -map 1
make bits.mov "testsrc2=s=64x48:r=25:d=0.2" -f lavfi -i "sine=r=48000:d=0.2" -c:v hap -c:a pcm_s24le -map 0 -map 1
make order.mov "testsrc2=s=64x48:r=25:d=0.2" -f lavfi -i "sine=r=48000:d=0.2" -c:v hap -c:a pcm_s16be -map 0 -map 1
make spoken.mov "testsrc2=s=64x48:r=25:d=0.2" -f lavfi -i "sine=r=48000:d=0.2" -c:v hap -c:a pcm_s16le -map 0 -map 1 \
    -metadata:s:a:0 language=fra
make grown.mov "testsrc2=s=64x48:r=25:d=0.2" -c:v hap -movflags frag_keyframe+empty_moov
head -c 20000 a.mov >cut.mov
head -c -40 a.mov >damaged.mov # of frames that do not lie in the file
: >empty.mov
rm -f out.mov
while IFS='|' read -r -u 3 words file; do
    expect_status 1 "$words" "$weir" join a.mov $file out.mov
    expect_no out.mov
done 3<<'LINES'
a.mov is hap, and alpha.mov is hap_alpha|alpha.mov
a.mov is 64x48, and small.mov is 32x32|small.mov
a.mov has [0-9]* ticks a second, and slow.mov has 600|slow.mov
'jpeg'.*weir transcode|jpeg.mov
a.mov has 1 audio track, and mute.mov has 0|mute.mov
aac.mov: its audio is compressed|aac.mov
rate.mov: audio track 1 has 44100 samples a second, and that of a.mov has 48000|rate.mov
bits.mov: audio track 1 has 3 bytes a sample, and that of a.mov has 2|bits.mov
order.mov: audio track 1 has another format than that of a.mov|order.mov
spoken.mov: audio track 1 has the language .*, and that of a.mov none|spoken.mov
grown.mov was not closed: run weir recover|grown.mov
cut.mov has no index|cut.mov
empty.mov has no index|empty.mov
cannot open none.mov|none.mov
is not a file|.
damaged.mov|damaged.mov
LINES
cp a.mov before.mov
expect_status 1 "a.mov is the input itself" "$weir" join a.mov b.mov a.mov
expect_status 1 "weir.mov exists and is not replaced" "$weir" join a.mov b.mov weir.mov
ln -s a.mov link.mov
expect_status 1 "link.mov is the input itself" "$weir" join a.mov b.mov link.mov
cmp a.mov before.mov || fail "an input was changed"
expect_status 2 "2 or more" "$weir" join a.mov
expect_status 0 "1.500 s  b.mov: 25 frames" "$weir" join a.mov b.mov out.mov --dry-run
grep -q "nothing was written" stdout.txt || fail "dry run: $(cat stdout.txt)"
expect_no out.mov
"$weir" join a.mov b.mov out.mov --quiet >said.txt
[ ! -s said.txt ] || fail "--quiet said $(cat said.txt)"
rm out.mov
expect_status 1 "Make room" limited 20 "$weir" join a.mov b.mov out.mov
expect_no out.mov

# What FFmpeg says of tracks stays: pictures that are turned, and a layout of channels.
described() { ffprobe -v error -show_entries stream=channel_layout:stream_side_data=rotation -of default "$1"; }
for part in a b; do
    ffmpeg -nostdin -v error -y -i $part.mov -c:v copy -c:a pcm_s16le -ac 6 -metadata:s:v rotate=90 turned_$part.mov
done
"$weir" join turned_a.mov turned_b.mov turned.mov --quiet
cmp <(described turned_a.mov) <(described turned.mov) || fail "tracks are described otherwise: $(described turned.mov)"
grep -q "channel_layout=5.1" <<<"$(described turned.mov)" || fail "the layout of channels is lost"
rm turned*.mov

# Killed at each of its writes, it leaves nothing of that name.
at=1
while ! killed_at $at "$program" join a.mov b.mov out.mov; do
    expect_no out.mov
    rm -f .weir-*
    at=$((at + 1))
done 2>/dev/null
[ $at -gt 3 ] || fail "it was killed at $((at - 1)) writes only"
expect_decodes out.mov
expect_clean
