#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_play_sound.sh WEIR FOLDER FAKE TONE CLOCK: the sound of a movie is heard in PipeWire, and its clock is the picture's: a
# program whose own clock runs twice as fast (fast_clock.c) shows the movie at that of the sound, and without sound at its own.
source "$(dirname "$0")/record/sound_common.sh"
for tool in xdotool Xvfb pw-record; do
    command -v $tool >/dev/null || skip "no $tool here"
done
clock=$5
unset WAYLAND_DISPLAY
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=64x36:rate=20 -f lavfi -i "sine=441:sample_rate=48000,volume=4" -t 30 \
    -ac 2 -c:v rawvideo -pix_fmt bgr24 -c:a pcm_s24le source.mov
"$weir" transcode source.mov clip.mov --codec hap --quiet
Xvfb -noreset -displayfd 3 -screen 0 640x480x24 3>display.txt >xvfb.txt 2>&1 &
processes+=($!)
until_true test -s display.txt
DISPLAY=:$(cat display.txt)
export DISPLAY

# start [VARIABLE=VALUE...]: the player.
start() {
    env LD_PRELOAD="$clock" "$@" "$program" play clip.mov >log.txt 2>&1 &
    player=$!
    processes+=($player)
    until_true moves
}
moves() { [[ "$(time_of)" > 00.500 ]]; }
end() {
    kill $player
    wait $player || fail "weir play ended with $?: $(cat log.txt)"
}
time_of() { xdotool getwindowname "$(xdotool search --name '^clip.mov' | head -n 1)" | sed -n 's/.*  0:\([0-9.]*\)  X1.*/\1/p' | grep .; }
# expect_pace LEAST MOST: how fast the movie goes, in seconds a second.
expect_pace() {
    local first last began ended
    first=$(time_of) began=$EPOCHREALTIME
    sleep 3
    last=$(time_of) ended=$EPOCHREALTIME
    awk -v movie="$(awk "BEGIN { print $last - $first }")" -v clock="$(awk "BEGIN { print $ended - $began }")" -v least="$1" \
        -v most="$2" 'BEGIN { exit !(movie > clock * least && movie < clock * most) }' ||
        fail "the movie went from $first to $last in $began to $ended"
}

start PIPEWIRE_REMOTE=none
expect_pace 1.5 2.5
end
grep -q 'the movie is silent' log.txt || fail "no word that it is silent: $(cat log.txt)"
start
until_true pw-link weir-play:output_FL sink:playback_FL
pw-link weir-play:output_FR sink:playback_FR
pw-record -P '{ node.autoconnect = false node.name = ear adapter.auto-port-config = "{ mode = dsp position = preserve }" }' \
    --channels 2 heard.wav &
ear=$!
processes+=($ear)
until_true pw-link sink:monitor_FL ear:input_FL
pw-link sink:monitor_FR ear:input_FR
expect_pace 0.5 1.4
kill $ear
wait $ear || true
end
level=$(ffmpeg -nostdin -hide_banner -i heard.wav -af "bandpass=f=441:width_type=h:w=40,volumedetect" -f null - 2>&1 |
    sed -n 's/.*max_volume: \(.*\) dB/\1/p')
awk -v level="$level" 'BEGIN { exit !(level > -15 && level < -3) }' || fail "the tone has $level dB"
echo passed
