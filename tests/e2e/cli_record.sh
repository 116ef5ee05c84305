#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record.sh WEIR FOLDER FAKE: weir record, with a program that speaks as the layer does and needs no device.
docs=$(cd "$(dirname "$0")" && pwd)
source "$docs/cli_common.sh"
source "$docs/record/record_common.sh"
hold ffprobe ffmpeg

# A movie of every frame, with its times, under the name that was asked for; what the program prints is its own.
record --output take.mov -- "$fake" --frames 40
expect_said "take.mov: 40 frames, 64x48, "
grep -qx "presented 40, sent 40, lost 0" stdout.txt || fail "the program says: $(cat stdout.txt)"
expect_numbers take.mov 0 39
expect_no take.001.mov take.mov.json
[ -z "$(ls "$XDG_RUNTIME_DIR")" ] || fail "the recorder leaves $(ls "$XDG_RUNTIME_DIR")"

# The exit status is the program's.
record_status 7 --output status.mov -- "$fake" --exit 7
expect_numbers status.mov 0 29

# Nothing is replaced, not even a part of another recording.
record --output take.mov -- "$fake" --frames 5
expect_numbers take.mov 0 39
expect_numbers take-2.mov 0 4
touch part.003.mov side.mov.json
record --output part.mov -- "$fake" --frames 3
record --output side.mov -- "$fake" --frames 3
expect_no part.mov side.mov
expect_numbers part-2.mov 0 2
expect_numbers side-2.mov 0 2
[ ! -s part.003.mov ] || fail "a file that was there was replaced"

# Recorders that run at once take names of their own; a name that is taken meanwhile leaves that of the segment.
mkdir many
recorders=()
for i in 1 2 3 4 5 6; do
    "$weir" record --codec hap --effort fast --policy wait --quiet --output many/take.mov -- "$fake" --frames 20 >/dev/null 2>>many.txt &
    recorders+=($!)
done
for recorder in "${recorders[@]}"; do
    wait "$recorder" || fail "one of six recorders failed: $(cat many.txt)"
done
[ "$(cd many && echo *)" = "take-2.mov take-3.mov take-4.mov take-5.mov take-6.mov take.mov" ] || fail "six recorders made $(ls many)"
for movie in many/*; do
    expect_numbers "$movie" 0 19
done
start --output meanwhile.mov -- "$fake" --until meanwhile.mov
until_true test -s meanwhile.001.mov
touch meanwhile.mov
finish 0
expect_said "meanwhile.001.mov stays under that name: File exists"
expect_numbers meanwhile.001.mov 0 $(($(sed -n 's/^presented \([0-9]*\), .*/\1/p' stdout.txt) - 1))
[ ! -s meanwhile.mov ] || fail "a file that was there was replaced"

# Names of its own: in a folder, in that of videos. (Other cases: unit_record_name.)
mkdir -p movies home/.config home/Films
record --output movies -- "$fake" --frames 3
grep -qx "e2e_fake_layer-20[0-9-]*-[0-9]\{6\}\.mov" <<<"$(ls movies)" || fail "in a folder it is $(ls movies)"
printf '# folders\nXDG_MUSIC_DIR="$HOME/Music"\nXDG_VIDEOS_DIR="$HOME/Fi\\lms"\n' >home/.config/user-dirs.dirs
(export HOME=$PWD/home && record -- "$fake" --frames 3)
[ "$(ls home/Films | wc -l)" = 1 ] || fail "no movie in the folder of videos"

# Frames that the layer has no slot for are dropped: they are counted and listed.
record --output drops.mov --sidecar -- "$fake" --frames 20 --lose 5
expect_said "drops.mov: 16 frames, .*, 4 dropped"
expect_list drops.mov "0 1 2 3 5 6 7 8 10 11 12 13 15 16 17 18"
judge drops.mov.json <<'PROGRAM'
import json, sys
facts = json.load(open(sys.argv[1]))
assert [drop["frame"] for drop in facts["drops"]] == [4, 9, 14, 19], facts["drops"]
assert {drop["reason"] for drop in facts["drops"]} == {"ring_full"}, facts["drops"]
assert facts["statistics"]["written"] == 16, facts["statistics"]
PROGRAM

# Each window is a movie of its own, and one of them can be chosen.
record --output two.mov -- "$fake" --windows 2 --frames 10
expect_numbers two.mov 0 9
expect_numbers two-2.mov 0 9
[ "$(blue two.mov) $(blue two-2.mov)" = "0 8" ] || fail "windows: $(blue two.mov) $(blue two-2.mov)"
record --output only.mov --window 2 -- "$fake" --windows 2 --frames 10
[ "$(blue only.mov)" = 8 ] || fail "--window 2 records $(blue only.mov)"
expect_no only-2.mov
grep -qx "refused: another one is chosen by --window" stdout.txt || fail "the layer was not told: $(cat stdout.txt)"

# A window of another size goes on in the next movie.
record --output size.mov -- "$fake" --frames 20 --resize 100x30
expect_said "size.mov: 20 frames, .* in 2 movies from .001 on"
expect_numbers size.001.mov 0 9
expect_numbers size.002.mov 10 19
[ "$(field size.002.mov width,height)" = 100,30 ] || fail "size.002.mov has $(field size.002.mov width,height)"
expect_no size.mov

# Other codecs, compression, rates.
for codec in hap_q hap_alpha hap_q_alpha hap_alpha_only; do
    "$weir" record --codec $codec --output $codec.mov -- "$fake" --frames 4 >/dev/null 2>stderr.txt || fail "$codec: $(cat stderr.txt)"
    [ "$(field $codec.mov nb_read_frames)" = 4 ] || fail "$codec.mov has $(field $codec.mov nb_read_frames) frames"
done
record --output snappy.mov --compression snappy -- "$fake" --frames 30 --size 640x480
expect_numbers snappy.mov 0 29
[ "$(stat -c %s snappy.mov)" -lt 600000 ] || fail "--compression snappy makes $(stat -c %s snappy.mov) bytes"
record --output half.mov --fps 30 -- "$fake" --frames 60
[ "$(field half.mov nb_read_frames)" = 30 ] || fail "--fps 30 records $(field half.mov nb_read_frames) of 60"
record --output constant.mov --fps 60 --constant-rate -- "$fake" --frames 30 --lose 10
# The last frame is lost, and the one before it is repeated until the program ends.
IFS=, read -r rate num <<<"$(field constant.mov nb_read_frames,r_frame_rate)"
[ "$rate" = 60/1 ] && [ "$num" -ge 30 ] || fail "--constant-rate: $num frames at $rate"
expect_list constant.mov "$(for ((i = 0; i < num; i++)); do echo $((i > 28 ? 28 : i % 10 == 9 ? i - 1 : i)); done | xargs)"
record --output wait.mov --policy wait --slots 2 -- "$fake" --frames 300 --fast 1 --fps 600
expect_numbers wait.mov 0 299
record --output parts.mov --segment 0.19 -- "$fake" --frames 30
expect_numbers parts.001.mov 0 11
expect_numbers parts.003.mov 24 29
"$weir" join parts.*.mov joined.mov --quiet
expect_numbers joined.mov 0 29
record --output one.mov --segment 100 -- "$fake" --frames 3 # whoever wants segments finds them
expect_numbers one.001.mov 0 2
"$weir" info one.001.mov parts.003.mov >said.txt
[ "$(sed -n 's/.*, \(segment .*\), [0-9]* frames.*/\1/p' said.txt)" = "segment 3 of a recording" ] || fail "weir info says $(cat said.txt)"

# The recording ends, and the program does not.
record --output frames.mov --frames 10 -- "$fake" --frames 40
expect_numbers frames.mov 0 9
grep -q "^presented 40, " stdout.txt || fail "--frames ends the program"
grep -q "the program goes on: Ctrl-C ends it" stderr.txt || fail "no word of a program that goes on: $(cat stderr.txt)"
record --output duration.mov --duration 0.49 -- "$fake" --frames 60
expect_numbers duration.mov 0 29
record --output after.mov --after 2 -- "$fake" --frames 30 --fps 10
first=$(numbers after.mov | cut -d ' ' -f 1)
[ "$first" -ge 1 ] || fail "--after 2 begins with frame $first" # the 20th, less what the start of the program takes
expect_numbers after.mov "$first" 29

# JSON on what was recorded, behind what the program prints.
record_status 3 --quiet --json --output json.mov -- "$fake" --windows 2 --frames 5 --exit 3
[ ! -s stderr.txt ] || fail "--quiet says $(cat stderr.txt)"
sed 1d stdout.txt >json.txt
judge json.txt <<'PROGRAM'
import json, sys
facts = json.load(open(sys.argv[1]))
assert facts["status"] == 3, facts
assert [m["path"] for m in facts["movies"]] == ["json.mov", "json-2.mov"], facts
assert [m["frames"] for m in facts["movies"]] == [5, 5], facts
assert {m["result"] for m in facts["movies"]} == {"WEIR_OK"}, facts
PROGRAM
echo passed
