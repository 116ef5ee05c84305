#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast weir transcode is, beside decoding alone and encoding alone: bash transcode.sh BIN MOVIE [ROUNDS [OPTIONS...]]
#
# BIN holds weir and weir-bench. In each round ffmpeg decodes MOVIE and throws its frames away, weir-bench encodes images of
# the same size that stay on the device, into the null sink, and weir transcode makes a movie of MOVIE, with the OPTIONS. The
# three take turns, so that other work on the machine hits all alike; the table has the median of the rounds (5): frames a
# second, and CPU time a frame of all threads, user and system. What weir needs before its first frame (the device, its
# kernels) is not counted: its frames a second are those of its summary, and its CPU time is that of the run without that of
# a run of one frame. MILLISECONDS=N sets how long weir-bench encodes (2000).
set -euo pipefail
export LC_ALL=C

[ $# -ge 2 ] || { sed -n 's/^# //p' "$0" | tail -n +2 >&2; exit 2; }
bin=$1 movie=$2 rounds=${3:-5}
shift $(($# < 3 ? $# : 3))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

codec=hap_q effort=default
for ((i = 1; i <= $#; i++)); do
    next=$((i + 1))
    case ${!i} in
    --codec=*) codec=${!i#*=} ;;
    --codec) codec=${!next} ;;
    --effort=*) effort=${!i#*=} ;;
    --effort) effort=${!next} ;;
    esac
done
IFS=, read -r width height frames < <(ffprobe -v error -select_streams v:0 -count_packets \
    -show_entries stream=width,height,nb_read_packets -of csv=p=0 "$movie")

# cost COMMAND...: seconds, and seconds of the processor [s].
cost() {
    local TIMEFORMAT='%R %U %S' times
    times=$({ time "$@" >"$folder/out.txt" 2>"$folder/messages.txt"; } 2>&1) ||
        { cat "$folder/messages.txt" >&2; exit 1; }
    awk '{ print $1, $2 + $3 }' <<<"$times"
}
# number KEY FILE: of the first stream in the JSON of weir-bench.
number() { grep -o "\"$1\": *[0-9.e+-]*" <(sed 's/.*"streams"//' <(tr -d '\n' <"$2")) | head -n 1 | sed 's/.*: *//'; }
# note NAME FRAMES SECONDS CPU_SECONDS
note() { awk -v n="$1" -v f="$2" -v s="$3" -v c="$4" 'BEGIN { print n, f / s, 1000 * c / f }' >>"$folder/rounds.txt"; }

# The driver keeps what this compiles, and so no run below compiles it.
cost "$bin/weir" transcode "$movie" "$folder/movie.mov" --frames 1 "$@" >/dev/null

for ((round = 0; round < rounds; round++)); do
    read -r seconds cpu < <(cost ffmpeg -nostdin -v error -i "$movie" -map 0:v:0 -f null -)
    note decode "$frames" "$seconds" "$cpu"
    "$bin/weir-bench" encode --sizes "${width}x$height" --codec "$codec" --effort "$effort" --milliseconds "${MILLISECONDS:-2000}" \
        --json "$folder/bench.json" >"$folder/out.txt"
    note encode "$(number written "$folder/bench.json")" "$(number seconds "$folder/bench.json")" \
        "$(number cpu_seconds "$folder/bench.json")"
    read -r _ first < <(cost "$bin/weir" transcode "$movie" "$folder/movie.mov" --frames 1 "$@")
    read -r _ cpu < <(cost "$bin/weir" transcode "$movie" "$folder/movie.mov" "$@")
    fps=$(sed -n 's/.*(\([0-9.]*\) fps.*/\1/p' "$folder/messages.txt")
    made=$(sed -n 's/.*: \([0-9]*\) frames,.*/\1/p' "$folder/messages.txt")
    note transcode "$((made - 1))" "$(awk -v n="$made" -v f="$fps" 'BEGIN { print (n - 1) / f }')" \
        "$(awk -v a="$cpu" -v b="$first" 'BEGIN { print a - b }')"
done

# median NAME COLUMN
median() { awk -v n="$1" -v c="$2" '$1 == n { print $c }' "$folder/rounds.txt" | sort -g | sed -n "$(((rounds + 1) / 2))p"; }
printf '%s: %sx%s, %s frames; %s at effort %s; %s processors, load %s; median of %s rounds\n' "${movie##*/}" "$width" \
    "$height" "$frames" "$codec" "$effort" "$(nproc)" "$(cut -d ' ' -f 1 /proc/loadavg)" "$rounds"
printf '%-12s %12s %16s\n' '' 'frames/s' 'CPU ms/frame'
for name in decode encode transcode; do
    printf '%-12s %12.1f %16.1f\n' $name "$(median $name 2)" "$(median $name 3)"
done
awk -v d="$(median decode 2)" -v e="$(median encode 2)" -v t="$(median transcode 2)" -v dc="$(median decode 3)" \
    -v ec="$(median encode 3)" -v tc="$(median transcode 3)" 'BEGIN {
    slower = d < e ? d : e
    printf "frames/s: %.2f of the slower of decode and encode, %.2f of both, one after the other\n", \
        t / slower, t * (1 / d + 1 / e)
    printf "CPU time: %.2f of it is decoding and encoding\n", (dc + ec) / tc
}'
