#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What weir record costs the program that it records: bash record.sh BIN [ROUNDS [FRAMES [OPTIONS...]]]
#
# BIN holds weir and e2e_present, of a build. The program presents FRAMES (1000) without a display, on the stand-in of
# tests/e2e/record/stand_in.c, and measures its calls of vkQueuePresentKHR after the first 30, in three ways: plain, without the
# layer that records; idle, with the layer, but no recorder; recorded, by weir record with hap_q, the effort fast and the
# policy drop, or with the OPTIONS. It does so at each of SIZES (1920x1080 3840x2160) and RATES, which are frames a second
# (0 120; 0 is as fast as it goes). The ways take turns in each round, so that other work on the machine hits all alike; the
# table has the medians of the rounds (3): frames a second, times of a present by the clock and of its thread's computing
# [us], and in percent the frames that are in the movie. Movies are written to FOLDER (/dev/shm), and are removed.
# JSON=FILE: the same figures there too.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" | tail -n +2 >&2; exit 2; }
bin=$(realpath "$1") rounds=${2:-3} frames=${3:-1000}
shift $(($# < 3 ? $# : 3))
read -ra sizes <<<"${SIZES:-1920x1080 3840x2160}"
read -ra rates <<<"${RATES:-0 120}"
ways=(plain idle recorded)
folder=$(mktemp -d "${FOLDER:-/dev/shm}/weir-bench-record-XXXXXX")
trap 'rm -rf "$folder"' EXIT
unset WEIR_RECORD_SOCKET
stand_in=(VK_LAYER_PATH="$bin/../layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_stand_in)
# The layer that records is the one nearer to the program, in the order of names and in that of manifests.
both=(VK_LAYER_PATH="$bin/../layer:$bin/../layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in)

# measure WAY ARGUMENTS...: its times, and what the recorder says of the movie.
measure() {
    local way=$1 movie=$folder/movie.mov
    shift
    set -- "$bin/e2e_present" --headless --immediate --times --frames "$frames" "$@"
    case $way in
    plain) set -- env "${stand_in[@]}" "$@" ;;
    idle) set -- env "${both[@]}" "$@" ;;
    recorded)
        set -- "$bin/weir" record --quiet --json --output "$movie" --codec hap_q --effort fast --policy drop \
            "${options[@]}" -- env "${both[@]}" "$@"
        ;;
    esac
    "$@" >"$folder/out.txt" 2>"$folder/messages.txt" || {
        local status=$?
        cat "$folder/out.txt" "$folder/messages.txt" >&2
        exit $((status == 77 ? 77 : 1))
    }
    rm -f "$movie"*
}
# figures: of the last run, in the order of the columns.
figures() {
    local kind key
    sed -n 's/.*"fps": \([0-9.]*\).*/\1/p' "$folder/out.txt"
    for kind in wall cpu; do
        for key in min median p99 p99.9 max; do
            sed -n 's/.*"'$kind'_us": {[^}]*"'$key'": \([0-9.]*\).*/\1/p' "$folder/out.txt"
        done
    done
    awk -F '[:,]' '/^      "frames"/ { written += $2 } /^      "dropped"/ { lost += $2 }
        END { print (written ? sprintf("%.1f", 100 * written / (written + lost)) : "-") }' "$folder/out.txt"
}

options=("$@")
for ((round = 0; round < rounds; round++)); do
    for size in "${sizes[@]}"; do
        for rate in "${rates[@]}"; do
            pace=()
            [ "$rate" = 0 ] || pace=(--fps "$rate")
            for way in "${ways[@]}"; do
                measure "$way" --size "$size" "${pace[@]}"
                echo "$size $rate $way $(figures | tr '\n' ' ')" >>"$folder/rounds.txt"
            done
        done
    done
done

# median SIZE RATE WAY COLUMN
median() {
    awk -v s="$1" -v r="$2" -v w="$3" -v c="$4" '$1 == s && $2 == r && $3 == w { print $c }' "$folder/rounds.txt" |
        sort -g | sed -n "$(((rounds + 1) / 2))p"
}
device=$(sed -n 's/^{"device": "\([^"]*\)".*/\1/p' "$folder/out.txt")
printf '%s; %s frames; %s; %s processors, load %s; median of %s rounds\n' "$device" "$frames" \
    "${options[*]:-hap_q at effort fast, policy drop}" "$(nproc)" "$(cut -d ' ' -f 1 /proc/loadavg)" "$rounds"
columns='%9s %9s %9s %9s %9s'
# shellcheck disable=SC2059 # the same for all lines
{
    printf "%-10s %5s %-9s %9s $columns $columns %7s\n" '' '' '' '' present: '' '' '' '' 'CPU time:' '' '' '' '' 'in the'
    printf "%-10s %5s %-9s %9s $columns $columns %7s\n" size pace '' frames/s min median p99 p99.9 max min median p99 p99.9 max movie
}
keys=(fps wall_min_us wall_median_us wall_p99_us wall_p999_us wall_max_us cpu_min_us cpu_median_us cpu_p99_us cpu_p999_us
    cpu_max_us recorded_percent)
for size in "${sizes[@]}"; do
    for rate in "${rates[@]}"; do
        for way in "${ways[@]}"; do
            row=() json=
            for ((i = 0; i < ${#keys[@]}; i++)); do
                row+=("$(median "$size" "$rate" "$way" $((i + 4)))")
                json+=", \"${keys[i]}\": ${row[i]/#-/null}"
            done
            # shellcheck disable=SC2059
            printf "%-10s %5s %-9s %9.1f ${columns//s/.1f} ${columns//s/.1f} %7s\n" "$size" "${rate/#0/free}" "$way" "${row[@]}"
            echo "{\"size\": \"$size\", \"rate\": $rate, \"way\": \"$way\"$json}" >>"$folder/rows.txt"
        done
    done
done
[ -z "${JSON:-}" ] || printf '{"bench": "record", "device": "%s", "frames": %s, "rounds": %s, "rows": [\n%s\n]}\n' "$device" \
    "$frames" "$rounds" "$(sed '$!s/$/,/' "$folder/rows.txt")" >"$JSON"
