#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C, a signal to end and a terminal that is closed: weir transcode ends with a movie that plays, and status 1.
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
echo passed
