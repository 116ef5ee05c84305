#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_play_window.sh WEIR FOLDER: weir play in a window of its own X server: its keys, what it shows there, the end of a movie.
source "$(dirname "$0")/sample_common.sh"
start_display
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x180:rate=10 -frames:v 20 -c:v rawvideo -pix_fmt bgr24 source.mov
"$weir" transcode source.mov clip.mov --codec hap --quiet

start_play() {
    "$weir" play --validation "$@" clip.mov >log.txt 2>&1 &
    app=$!
    until_true xdotool search --name "^clip.mov"
    window=$(xdotool search --name "^clip.mov" | head -n 1)
}
end_play() {
    key q
    wait $app || fail "weir play ended with $?: $(cat log.txt)"
    app=
    ! grep -qi validation log.txt || fail "the validation layer has spoken: $(cat log.txt)"
}

# At the end it waits; a pause goes frame by frame, and over both ends with --loop.
start_play --no-overlay
until_true title_has " 19/20  0:01.900  X1 PAUSED"
key Left Left
until_true title_has " 17/20  0:01.700"
key Home Left
until_true title_has " 0/20  0:00.000"
key l Left
until_true title_has " 19/20 .* LOOP"
# The window is as large as the movie, and has the frame that --picture writes.
"$weir" play --headless --picture wanted.png --frame 19 clip.mov
if command -v import >/dev/null; then
    same() { import -window "$window" seen.png && command compare -metric AE -fuzz 1% wanted.png seen.png null:; }
    differs() { ! same; }
    until_true same
    key o # the line of facts
    until_true differs
fi
# Another size, and the whole screen.
xdotool windowsize "$window" 500 150
key bracketright BackSpace
until_true title_has "X-2 "
key f space
until_true title_has "X-2 LOOP"
key f
end_play

start_play --paused --frame 5 --full-screen --speed 0.5
until_true title_has " 5/20  0:00.500  X0.5 PAUSED"
end_play
grep -q "1 frames shown, 0 dropped" log.txt || fail "it says $(cat log.txt)"
echo passed
