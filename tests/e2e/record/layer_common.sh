# SPDX-License-Identifier: MIT
# What the tests of weir record with the layer share. Sourced: bash cli_record_x.sh WEIR FOLDER PRESENT NUMBERS.
source "$(dirname "${BASH_SOURCE[0]}")/../sample_common.sh"
present=$3
hold weir ffprobe ffmpeg "${4##*/}"
read_numbers=$held/${4##*/}
start_display
# Paths of sockets are short.
XDG_RUNTIME_DIR=$(mktemp -d)
export XDG_RUNTIME_DIR
others=()
trap 'kill -KILL $app $xvfb "${others[@]}" 2>/dev/null || true; rm -rf "$XDG_RUNTIME_DIR"' EXIT
"$present" --frames 1 >display.log 2>&1 || skip "$(cat display.log)"

# record_status STATUS NAME [RECORD OPTION...] -- [PRESENT OPTION...]: record e2e_present, whose present log is NAME.log, as
# NAME.mov, and expect that exit status. What both say is in NAME.txt. At effort fast, whose kernels are compiled soonest, and
# with slots for most programs' frames: a kernel that is not in the driver's cache may be compiled for longer than a second,
# for which the layer waits.
record_status() {
    local wanted=$1 name=$2 status=0 options=()
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    "$weir" record --quiet --effort fast --slots 60 --output "$name.mov" "${options[@]}" -- "$present" --present-log "$name.log" "${@:2}" >"$name.txt" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "$name: record ${options[*]} of e2e_present ${*:2} ended with $status: $(cat "$name.txt")"
}

# record NAME ...: both end well and say nothing.
record() {
    record_status 0 "$@"
    [ ! -s "$1.txt" ] || fail "$1: $(cat "$1.txt")"
}

# start_record NAME [RECORD OPTION...] -- [PRESENT OPTION...]: in the background; `app` is the recorder.
start_record() {
    local name=$1 options=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    "$program" record --quiet --effort fast --slots 60 --output "$name.mov" "${options[@]}" -- "$present" --present-log "$name.log" "${@:2}" >"$name.txt" 2>&1 &
    app=$!
    recorder=$app
}

# finish STATUS: of the recorder in the background.
finish() {
    local status=0
    wait "$recorder" || status=$?
    app=
    [ "$status" = "$1" ] || fail "the recorder ended with $status instead of $1"
}

# has_frames FRAMES: the recorder in the background has written so many.
has_frames() {
    "$weir" record --ctl status --json --ctl-pid "$recorder" >status.txt &&
        [ "$(sed -n 's/.*"frames": *\([0-9]*\).*/\1/p' status.txt | head -n 1)" -ge "$1" ]
}

has_lines() { [ "$(wc -l <"$1")" -ge "$2" ]; } # FILE LINES

# read_drops SIDECAR: the number and the time [ns] of each frame that it says was dropped.
read_drops() {
    python3 -c 'import json, sys
for drop in json.load(open(sys.argv[1]))["drops"]:
    print(drop["frame"], drop["time_ns"])' "$1"
}

# read_movies MOVIE...: what e2e_numbers reads of them, one behind the other, is in movie.txt.
read_movies() {
    "$read_numbers" "$@" >movie.txt || fail "$* is not read"
}

# expect_numbers LIST WORST [SIZE]: movie.txt has the numbers of that file and no other, in order, colours that are no farther
# away, and that size.
expect_numbers() {
    diff "$1" <(cut -d ' ' -f 1 movie.txt) >numbers.diff || fail "numbers differ: $(head -n 5 numbers.diff)"
    awk -v worst="$2" -v size="${3:-}" '$4 > worst || (size != "" && $3 != size) { print; exit 1 }' movie.txt >wrong.txt ||
        fail "a colour or a size is wrong, up to $2 codes: $(cat wrong.txt)"
}

# expect_all NAME FRAMES [WORST] [SIZE]: NAME.mov is closed and has all frames that were presented, from 0 on.
expect_all() {
    expect_closed "$1.mov"
    read_movies "$1.mov"
    seq 0 $(($2 - 1)) >wanted.txt
    expect_numbers wanted.txt "${3:-4}" "${4:-}"
    [ "$(wc -l <"$1.log")" = "$2" ] || fail "$1: $(wc -l <"$1.log") frames were presented instead of $2"
}

# expect_closed MOVIE: Weir says nothing of a need to recover it, and ffprobe counts as many frames.
expect_closed() {
    local facts counted
    facts=$("$weir" info "$1") || fail "weir info $1: $facts"
    ! grep -qi "recover\|not closed" <<<"$facts" || fail "$1 is not closed: $facts"
    counted=$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1" 2>/dev/null)
    grep -q ", $counted frame" <<<"$facts" || fail "$1: ffprobe counts $counted frames, and weir info says $facts"
}

# dropped NAME: of each dropped frame in NAME.mov.json the number of the frame that was presented then. A frame's time is
# before that in the present log, and behind that of the frame before it.
dropped() {
    local first
    first=$(sed -n 's/.*"first_time_ns": \([0-9]*\).*/\1/p' "$1.mov.json")
    read_drops "$1.mov.json" | cut -d ' ' -f 2 >drops.txt
    awk -v first="$first" 'NR == FNR { time[NR - 1] = $2; next }
        { while (time[i] + 0 < first + $1) i++; print i }' "$1.log" drops.txt
}
