#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_play_window.sh WEIR FOLDER: weir play in a window of its own X server: its keys, what it shows there, the end of a movie,
# several movies, textures and pictures, streams.
source "$(dirname "$0")/sample_common.sh"
start_display
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x180:rate=10 -frames:v 20 -c:v rawvideo -pix_fmt bgr24 source.mov
"$weir" transcode source.mov clip.mov --codec hap --quiet

inputs=(clip.mov)
start_play() {
    "$weir" play --validation "$@" "${inputs[@]}" >log.txt 2>&1 &
    app=$!
    until_true xdotool search --name "^${inputs[0]}"
    window=$(xdotool search --name "^${inputs[0]}" | head -n 1)
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

# One movie after the other, past one that is none; a texture waits with its levels and slices.
"$weir" transcode source.mov q.mov --codec hap_q --scale 50% --quiet
head -c 1000 clip.mov >none.mov
ffmpeg -nostdin -v error -i source.mov -frames:v 3 %d.png
"$weir" texture 1.png 2.png both.ktx2 --array --codec bc7 --levels 4 >/dev/null
inputs=(clip.mov none.mov q.mov both.ktx2)
start_play --speed 4
until_true title_has "^q.mov .* X4"
until_true title_has "^both.ktx2  0/2  LEVEL 0/4 .* PAUSED"
key Down Down Up Right
until_true title_has "^both.ktx2  1/2  LEVEL 1/4 "
key Up Up Page_Up
until_true title_has "^q.mov  0/20 "
key Page_Up
until_true title_has "^clip.mov  0/20 "
key l BackSpace Left
end_play
grep -q "none.mov has no index" log.txt || fail "it says $(cat log.txt)"

# Pictures play with --fps, and one that cannot be read is left out.
head -c 100 1.png >2.png
inputs=(1.png 2.png 3.png)
start_play --fps 2
until_true title_has "^3.png  2/3  0:01.000 .* PAUSED"
end_play
[ "$(grep -c "2.png: no picture in it" log.txt)" = 1 ] || fail "it says $(cat log.txt)"

# A pipe is shown by its times, and q ends it also where the sender waits; a network is shown as it comes.
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x180:rate=40 -frames:v 80 -c:v rawvideo -pix_fmt bgr24 stream.mov
mkfifo pipe
{ "$weir" transcode stream.mov --output - --quiet --codec hap && sleep 20; } >pipe &
inputs=(pipe)
begin=$(date +%s%N)
start_play --no-overlay
until_true title_has "^pipe  79/80  0:01.975 "
[ $(($(date +%s%N) - begin)) -gt 1500000000 ] || fail "it was shown too fast"
end_play
inputs=("tcp://127.0.0.1:$((20000 + RANDOM % 10000))?listen")
"$weir" play --validation --no-overlay "${inputs[0]}" >log.txt 2>&1 &
app=$!
send() { "$weir" transcode source.mov --output "${inputs[0]%?listen}" --quiet --codec hap 2>sent.txt; }
until_true send
until_true xdotool search --name "^${inputs[0]%?listen}"
window=$(xdotool search --name "^${inputs[0]%?listen}" | head -n 1)
until_true title_has " 19/20 .* PAUSED"
! command -v import >/dev/null || until_true same
end_play
echo passed
