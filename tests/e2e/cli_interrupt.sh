#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C, a signal to end and a terminal that is closed: weir transcode ends with a movie that plays, and status 1. weir recover
# ends at once, in the middle of a search.
source "$(dirname "$0")/cli_common.sh"

make long.mkv testsrc2=s=640x360:r=25:d=20 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
for signal in INT TERM HUP; do
    begin "$weir" transcode long.mkv "$signal.mov"
    until_true is_grown "$signal.mov" 1000000 # a few frames
    kill -s "$signal" $app
    expect_end 1 interrupted
    said=$(sed -n 's/.*it holds \([0-9]*\) frame.*/\1/p' messages.txt)
    frames=$(field "$signal.mov" nb_read_frames)
    [ "$frames" = "$said" ] || fail "$frames frames in the file, and \"$said\" said"
    [ "$frames" -gt 0 ] && [ "$frames" -lt 500 ] || fail "$frames frames"
    printf '%s: %s frames\n' "$signal" "$frames"
done

# The first part writes the audio of all parts behind its frames: that ends too.
make silence.flac anullsrc=r=48000:cl=mono:d=9000
begin "$weir" transcode long.mkv part.mov --part 1/500 --sound-from silence.flac
until_true is_grown part.mov 5000000
kill -s INT $app
expect_end 1 interrupted
[ "$(stat -c %s part.mov)" -lt 800000000 ] || fail "all audio was written"
rm part.mov

# Each word is the head of a stored frame of 5492x740 that contains the head of a fragment, which no frame does.
head -c 2000000 < <(yes $'\x08\x01\x1f\xab' | LC_ALL=C tr -d '\n') >words
printf '\0\0\0\x64moof' >>words
for _ in {1..100}; do cat words; done >hostile.mov
begin "$weir" recover hostile.mov --size 5492x740 --fps 60
searches() { [ "$(awk '{ print $14 }' "/proc/$app/stat")" -ge 10 ]; } # ticks of 10 ms
until_true searches
kill -s INT $app
times >before.txt
expect_end 1 interrupted
times >after.txt
# Of the processor, which other programs use too.
used=$(awk '{ split($1, time, "m"); used[FILENAME] = 60 * time[1] + time[2] } END { print used["after.txt"] - used["before.txt"] }' before.txt after.txt)
awk -v used="$used" 'BEGIN { exit used > 1 }' || fail "weir recover searched for $used s"
printf 'weir recover searched for %s s\n' "$used"
echo passed
