#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_tracks.sh WEIR FOLDER: what an input has beside the frames and the sound. Title, comment and creation time are kept,
# by ffprobe; all else that is left out is said in one line, and in JSON; --video-track chooses.
source "$(dirname "$0")/cli_common.sh"
hold weir ffprobe

# expect_tags MOVIE TEXT: its creation time, title and comment.
expect_tags() {
    local said
    said=$(ffprobe -v error -show_entries format_tags=creation_time,title,comment -of csv=p=0 "$1")
    [ "$said" = "$2" ] || fail "$1 has the tags '$said' and should have '$2'"
}

printf '1\n00:00:00,000 --> 00:00:01,000\nx\n' >words.srt
ffmpeg -nostdin -v error -f lavfi -i color=red:s=32x32 -frames:v 1 cover.png
printf ';FFMETADATA1\ntitle=My “take”\ncomment=Two\nartist=Me\nalbum=It\n' >said.txt
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i testsrc2=s=128x96:r=25:d=1 -i words.srt -i said.txt \
    -f lavfi -i sine=d=1 -map 0 -map 1 -map 2 -map 2 -map 4 -map_metadata 3 -metadata creation_time=2021-02-03T04:05:06Z \
    -attach cover.png -metadata:s:t mimetype=image/png -c:v ffv1 -c:s srt -c:a pcm_s16le in.mkv

tags="2021-02-03T04:05:06.000000Z,My “take”,Two"
list="a video track, 2 subtitle tracks, a cover picture, metadata (ALBUM, ARTIST)"
"$weir" transcode in.mkv out.mov --json --quiet 2>messages.txt >said.json
[ "$(cat messages.txt)" = "weir: warning: in.mkv: left out: $list" ] || fail "said: $(cat messages.txt)"
grep -qF "\"not_kept\": \"$list\"" said.json || fail "JSON says: $(cat said.json)"
expect_tags out.mov "$tags"
"$weir" transcode - piped.mov --quiet <in.mkv 2>messages.txt
grep -q "left out: $list" messages.txt || fail "a pipe: $(cat messages.txt)"
expect_tags piped.mov "$tags"

# Other commands keep them, also of a movie that was cut.
"$weir" join out.mov out.mov two.mov --end-to-end --quiet
expect_tags two.mov "$tags"
head -c "$(($(stat -c %s out.mov) - 300))" out.mov >cut.mov
"$weir" recover cut.mov whole.mov
expect_tags whole.mov "$tags"

# Nothing is said where nothing is left out, also not by --no-audio. A text that is no UTF-8 is left out.
ffmpeg -nostdin -v error -i in.mkv -map 0:v:0 -map 0:a -map_metadata -1 -c copy plain.mkv
[ -z "$("$weir" transcode plain.mkv plain.mov --quiet --no-audio 2>&1)" ] || fail "something is left out of plain.mkv"
expect_tags plain.mov ""
ffmpeg -nostdin -v error -i plain.mkv -c copy -metadata title="$(printf 'a\377')" bad.mkv
expect_status 0 "left out: metadata (title)" "$weir" transcode bad.mkv bad.mov --quiet
expect_tags bad.mov ""

# A time code has an option of its own.
ffmpeg -nostdin -v error -i plain.mkv -map 0:v -c:v mpeg4 -timecode 10:00:00:00 code.mov
expect_status 0 "left out: its time code (--timecode keep)" "$weir" transcode code.mov a.mov --quiet
[ -z "$("$weir" transcode code.mov b.mov --quiet --timecode keep 2>&1)" ] || fail "something is left out of code.mov"

# Another video track, by its number.
for n in 1 2; do
    "$weir" transcode in.mkv "track$n.mov" --quiet --video-track $n 2>/dev/null
done
[ "$(probe track1.mov stream=width | head -1) $(probe track2.mov stream=width | head -1)" = "64 128" ] ||
    fail "--video-track takes another track"
expect_status 1 "no video track 3, only 1 (ffv1, 64x48), 2 (ffv1, 128x96)" "$weir" transcode in.mkv c.mov --video-track 3
expect_status 1 "no video track 2, only 1 (png, 32x32)" "$weir" transcode cover.png c.mov --video-track 2
expect_status 2 "video-track" "$weir" transcode in.mkv c.mov --video-track 0
echo "passed"
