#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_idle.sh WEIR FOLDER FAKE: programs that present nothing at their end, whose last frame is shown until then.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/record_common.sh"
hold ffprobe ffmpeg

# ticks MOVIE: how long its picture is, in 1/90000 s.
ticks() {
    ffprobe -v error -select_streams v -show_entries stream=duration_ts -of csv=p=0 "$1"
}

# said WORD: the seconds in the program's line that begins so.
said() {
    awk -v word="$1" '$1 == word { print $(NF - 1) }' stdout.txt
}

# expect_between MOVIE SECONDS SECONDS: its picture is as long.
expect_between() {
    awk -v t="$(ticks "$1")" -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && t / 90000 > a - 0.001 && t / 90000 < b) }' ||
        fail "$1 has $(ticks "$1") ticks of 1/90000 s, not $2 s to $3 s"
}

# until_end STATUS NAME OPTIONS... -- ARGUMENTS...: the movie NAME.mov lasts as long as the program, which is not longer than
# this takes, but for the rest of a frame that lasts `grid` seconds.
until_end() {
    local begin=$EPOCHREALTIME name=$2
    record_status "$1" --output "$name.mov" "${@:3}"
    elapsed=$(awk -v a="$begin" -v b="$EPOCHREALTIME" -v grid="${grid:-0}" 'BEGIN { print b - a + grid }')
    [ -e "$name.mov" ] || "$weir" join "$name".???.mov "$name.mov" --quiet
    expect_between "$name.mov" "$(said lasted)" "$elapsed"
}

# expect_constant MOVIE RATE: a frame at each point.
expect_constant() {
    local num
    num=$(field "$1" nb_read_frames)
    [ "$(ticks "$1")" = $((num * 90000 / $2)) ] || fail "$1 has $num frames in $(ticks "$1") ticks"
}

# expect_said MOVIE: the line at the end says how long it is.
expect_said() {
    awk -v t="$(ticks "$1")" 'match($0, /in [0-9.]+ s/) { s = substr($0, RSTART + 3) + 0 } END { exit !(s - t / 90000 < 0.06 && t / 90000 - s < 0.06) }' \
        stderr.txt || fail "$1 has $(ticks "$1") ticks, and it says: $(cat stderr.txt)"
}

# The program ends, or is killed.
until_end 0 exit -- "$fake" --frames 5 --idle 1500
expect_numbers exit.mov 0 4
expect_said exit.mov
"$weir" info exit.mov --json >info.txt
judge info.txt "$(ticks exit.mov)" <<'PROGRAM'
import json, sys
movie, = json.load(open(sys.argv[1]))
assert abs(movie["seconds"] - int(sys.argv[2]) / 90000) < 0.0001, movie
PROGRAM
"$weir" transcode exit.mov again.mov --quiet 2>messages.txt
[ ! -s messages.txt ] || fail "weir transcode of it says: $(cat messages.txt)"
[ "$(probe again.mov stream=duration)" = "$(probe exit.mov stream=duration)" ] || fail "again.mov lasts $(probe again.mov stream=duration)"
grep -q "it needs nothing" <<<"$("$weir" recover exit.mov)" || fail "weir recover finds a fault in exit.mov"
until_end 137 killed -- "$fake" --frames 10 --kill 9 --idle 1500
expect_numbers killed.mov 0 4

# At a constant rate the last frame is repeated, also in segments.
grid=0.034 until_end 0 constant --fps 30 --constant-rate -- "$fake" --frames 10 --fps 30 --idle 1500
expect_constant constant.mov 30
[ "$(numbers constant.mov | tr ' ' '\n' | tail -n 40 | sort -u)" = 9 ] || fail "constant.mov: $(numbers constant.mov)"
grid=0.1 until_end 0 cut --fps 10 --constant-rate --segment 0.5 -- "$fake" --frames 3 --fps 10 --idle 1500
[ -e cut.003.mov ] || fail "segments: $(echo cut.*)"
expect_constant cut.mov 10

# --duration, to the tick.
record --duration 1.2 --output duration.mov -- "$fake" --frames 5 --idle 2500
[ "$(ticks duration.mov)" = 108000 ] || fail "--duration 1.2 gives $(ticks duration.mov) ticks"
record --duration 1.2 --fps 30 --constant-rate --output grid.mov -- "$fake" --frames 5 --idle 1500
[ "$(field grid.mov nb_read_frames)" = 36 ] || fail "--duration 1.2 gives $(field grid.mov nb_read_frames) frames"
record --duration 0.49 --output busy.mov -- "$fake" --frames 60
[ "$(ticks busy.mov)" = 44100 ] || fail "--duration 0.49 of a program that presents gives $(ticks busy.mov) ticks"
for frames in 1 40; do # of the movie, also where more or fewer are presented
    record --frames $frames --fps 30 --constant-rate --output few-$frames.mov -- "$fake" --frames 10 --fps 30 --idle 1500
    record --frames $frames --fps 30 --constant-rate --output many-$frames.mov -- "$fake" --frames 250 --fps 100
    for movie in few many; do
        [ "$(field $movie-$frames.mov nb_read_frames)" = $frames ] || fail "--frames $frames gives $(field $movie-$frames.mov nb_read_frames)"
    done
done
record --frames 5 --output frames.mov -- "$fake" --frames 20 --idle 300
expect_between frames.mov 0.083 0.084

# A window that is closed before its program ends.
record --output gone.mov -- "$fake" --frames 5 --idle 3000 --gone 1
expect_between gone.mov "$(said idle)" "$(said lasted | awk '{ print $1 - 1 }')"

# A mark, a stop, and another take.
start --output take.mov -- "$fake" --frames 5 --idle 60000
until_true grep -q "^idle after" stdout.txt
sleep 0.7
"$weir" record --ctl mark "behind the last frame" >answer.txt
grep -qx "marked: 1 movie" answer.txt || fail "mark answers $(cat answer.txt)"
sleep 0.3
"$weir" record --ctl stop >/dev/null
expect_between take.mov 1 60
[ "$(ffprobe -v error -show_entries chapter_tags=title -of csv=p=0 take.mov)" = "behind the last frame" ] || fail "take.mov has lost its chapter"
"$weir" record --ctl start >/dev/null
kill -TERM "$recorder"
finish 143
expect_no take-2*

# A replay is saved then: it ends when it was asked for, also when that is longer ago than it has seconds.
start --replay 2 --output recorded.mov -- "$fake" --frames 5 --idle 60000
until_true grep -q "^idle after" stdout.txt
sleep 0.7
"$weir" record --ctl replay short.mov >/dev/null
until_true test -s short.mov
sleep 2
"$weir" record --ctl replay long.mov >/dev/null
until_true test -s long.mov
kill -TERM "$recorder"
finish 143
expect_between short.mov 0.7 2.001
expect_between long.mov 2 2.001
expect_numbers long.mov 4 4

# In a pause the movie ends where that began.
begin=$EPOCHREALTIME
start --output pause.mov -- "$fake" --frames 5 --idle 60000
until_true grep -q "^idle after" stdout.txt
sleep 0.5
"$weir" record --ctl pause >/dev/null
elapsed=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
sleep 1
kill -TERM "$recorder"
finish 143
expect_between pause.mov 0.5 "$elapsed"
expect_said pause.mov
start --duration 2 --output resumed.mov -- "$fake" --frames 5 --idle 60000
until_true grep -q "^idle after" stdout.txt
"$weir" record --ctl pause >/dev/null
sleep 0.7
"$weir" record --ctl start >/dev/null
until_true test -s resumed.mov
sleep 2.5
kill -TERM "$recorder"
finish 143
[ "$(ticks resumed.mov)" = 180000 ] || fail "--duration 2 with a pause gives $(ticks resumed.mov) ticks"
expect_said resumed.mov
echo passed
