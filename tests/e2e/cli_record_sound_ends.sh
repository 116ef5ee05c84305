#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_sound_ends.sh WEIR FOLDER FAKE TONE: the sound of weir record over pauses and segments, and without PipeWire.
source "$(dirname "$0")/record/sound_common.sh"

# has_frames: of the program that is recorded.
has_frames() {
    "$weir" record --ctl status --json >status.txt && grep '"frames": [1-9]' status.txt
}

# Pauses have no sound, and segments share it.
begin=$(date +%s.%N)
TONES=long:0:2 start --output pause.mov -- bash program.sh --until end
until_true has_frames
sleep 0.5
"$weir" record --ctl pause >/dev/null
sleep 1.5
"$weir" record --ctl start >/dev/null
sleep 1
touch end
finish 0
end=$(date +%s.%N)
within "$(length pause.mov a)" "$(length pause.mov v)" 0.1 || fail "pause.mov has $(length pause.mov a) s of sound, $(length pause.mov v) s of frames"
awk -v most="$end" -v begin="$begin" -v seconds="$(length pause.mov v)" 'BEGIN { exit !(seconds < most - begin - 1.5) }' ||
    fail "pause.mov is $(length pause.mov v) s long, and the pause is in it"
TONES=parts:0.2:2 record --output parts.mov --segment-size 1M -- bash program.sh --frames 100 --size 320x240
for part in parts.00[1234].mov; do
    within "$(length $part a)" "$(length $part v)" 0.1 || fail "$part has $(length $part a) s of sound, $(length $part v) s of frames"
done
"$weir" join --quiet parts.*.mov joined.mov
expect_tone joined.mov 44 -9 66 -9

# --duration ends both, also where a program presents nothing by then and goes on to play.
# On a machine that is busy PipeWire leaves out the last cycle, or two.
TONES=idle:0:2 record --output idle.mov --duration 1.5 -- bash program.sh --frames 30 --idle 3000
within "$(length idle.mov v)" 1.5 0.0001 && within "$(length idle.mov a)" 1.5 0.05 ||
    fail "idle.mov has $(length idle.mov a) s of sound, $(length idle.mov v) s of frames"

# None is wanted.
record --sound none --output none.mov -- bash program.sh --frames 10
[ -z "$(length none.mov a)" ] || fail "--sound none records sound"
! grep -qi "audio\|silent\|PipeWire" stderr.txt || fail "--sound none says $(cat stderr.txt)"

# PipeWire ends in the middle, and the movie goes on.
TONES=lost:0.1:2 start --output lost.mov --policy wait -- bash program.sh --until lost_end
until_true has_frames
sleep 1.4
kill $pipewire
until_true grep -q "from now on the movies are silent: PipeWire says" stderr.txt
sleep 1
touch lost_end
finish 0
expect_tone lost.mov 44 -9 66 -9
grep -q "^presented $(field lost.mov nb_read_frames), " stdout.txt || fail "lost.mov has $(field lost.mov nb_read_frames) frames: $(cat stdout.txt)"

# It does not run: frames alone, and a line.
record --output alone.mov -- "$fake" --frames 10
expect_numbers alone.mov 0 9
[ -z "$(length alone.mov a)" ] || fail "alone.mov has sound"
expect_said "the movies have no audio: PipeWire does not run"
[ "$(wc -l <stderr.txt)" = 2 ] || fail "without PipeWire it says $(cat stderr.txt)"
record --quiet --output quiet.mov -- "$fake" --frames 2
[ ! -s stderr.txt ] || fail "--quiet says $(cat stderr.txt)"
record --quiet --sound program --output asked.mov -- "$fake" --frames 2
expect_said "the movies have no audio: PipeWire does not run"
echo passed
