#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a frame is on its way to a receiver: bash latency.sh BIN [FRAMES [OPTIONS...]]
#
# BIN holds weir and e2e_present, of a build. The program presents FRAMES (600) of SIZE (640x360) at RATE (60) frames a second,
# without a display, on the stand-in of tests/e2e/record/stand_in.c; weir record sends them with hap_q, the effort fast and the
# policy wait, or with the OPTIONS, through a pipe and by TCP on this machine. ffmpeg receives, and notes when it has each one.
# The table has the time from before a frame is drawn to that [ms], without the first 30.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" | tail -n +2 >&2; exit 2; }
bin=$(realpath "$1") frames=${2:-600}
shift $(($# < 2 ? $# : 2))
options=("$@") size=${SIZE:-640x360} rate=${RATE:-60} port=${PORT:-29517}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset WEIR_RECORD_SOCKET

# stream ADDRESS
stream() {
    "$bin/weir" record --quiet --output "$1" --codec hap_q --effort fast --policy wait "${options[@]}" -- \
        env VK_LAYER_PATH="$bin/../layer:$bin/../layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in \
        "$bin/e2e_present" --headless --immediate --frames "$frames" --size "$size" --fps "$rate" --present-log "$folder/presented"
}
# receive ADDRESS: the moment of each packet [us since 1970].
receive() {
    ffmpeg -nostdin -v error -use_wallclock_as_timestamps 1 -copyts -i "$1" -map 0:v -c copy -f framecrc - >"$folder/received"
}
# report WAY: of the last frames, which both have; a receiver that comes late lacks the first ones.
report() {
    local behind
    behind=$(python3 -c 'import time; print(time.time_ns() - time.monotonic_ns())')
    paste -d ' ' <(tac "$folder/presented") <(grep -v '^#' "$folder/received" | tr -d , | tac) | awk -v behind="$behind" \
        -v ticks="$(sed -n 's/^#tb 0: 1\///p' "$folder/received")" '$1 >= 30 && NF > 3 { print 1e3 * $6 / ticks - ($3 + behind) / 1e6 }' |
        sort -g | awk -v way="$1" '{ ms[NR] = $1 }
            END { if (!NR) exit 1; printf "%-5s %7d %7.2f %7.2f %7.2f %7.2f\n", way, NR, ms[1], ms[int((NR + 1) / 2)], ms[int((99 * NR + 99) / 100)], ms[NR] }'
}

printf '%-5s %7s %7s %7s %7s %7s\n' way frames least median p99 most
stream - | receive -
report pipe
receive "tcp://127.0.0.1:$port?listen" &
until grep -q ":$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp; do sleep 0.02; done # it listens
stream "tcp://127.0.0.1:$port"
wait
report tcp
