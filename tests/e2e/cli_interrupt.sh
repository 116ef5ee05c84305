#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C, a signal to end and a terminal that is closed: weir transcode ends with a movie that plays, and status 1.
source "$(dirname "$0")/cli_common.sh"

make long.mkv testsrc2=s=640x360:r=25:d=60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
for signal in INT TERM HUP; do
    # The shell starts what is in the background with SIGINT ignored.
    env --default-signal=INT "$weir" transcode long.mkv "$signal.mov" 2>messages.txt &
    process=$!
    # As soon as a few frames are in the file.
    for ((i = 0; i < 1000; i++)); do
        size=$(stat -c %s "$signal.mov" 2>/dev/null || echo 0)
        [ "$size" -lt 1000000 ] || break
        sleep 0.01
    done
    kill -s "$signal" $process
    status=0
    wait $process || status=$?
    [ $status = 1 ] || fail "status $status after $signal: $(cat messages.txt)"
    grep -q "interrupted" messages.txt || fail "no word of it: $(cat messages.txt)"
    said=$(sed -n 's/.*it holds \([0-9]*\) frame.*/\1/p' messages.txt)
    frames=$(field "$signal.mov" nb_read_frames)
    [ "$frames" = "$said" ] || fail "$frames frames in the file, and \"$said\" said"
    [ "$frames" -gt 0 ] && [ "$frames" -lt 1500 ] || fail "$frames frames"
    printf '%s: %s frames\n' "$signal" "$frames"
done
echo passed
