#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_soak.sh WEIR FOLDER FAKE [SECONDS]: a recording with a receiver that comes and goes, some of which read nothing for
# a while: threads, descriptors and memory stay as they are. In a test it lasts ten seconds.
docs=$(cd "$(dirname "$0")" && pwd)
source "$docs/cli_common.sh"
source "$docs/record/record_common.sh"
seconds=${4:-10}

port=$((20000 + $$ % 20000))
start --quiet --output soak.mov --segment 1 --also "tcp://127.0.0.1:$port?listen" -- "$fake" --fps 60 --until end
receive() { timeout "$1" ffmpeg -nostdin -v quiet "${@:2}" -i "tcp://127.0.0.1:$port" -c copy -f null - || true; }
# What the recorder has: threads, descriptors and memory [kB].
sample() {
    echo "$(ls "/proc/$recorder/task" | wc -l) $(ls "/proc/$recorder/fd" | wc -l) $(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$recorder/status")" >>"$1"
}
until_true receive 2 -frames:v 10
for ((end = SECONDS + seconds; SECONDS < end; )); do
    receive 1 -re
    receive 1
    half=$((SECONDS < end - seconds / 2 ? 1 : 2)) # of the time
    sample "half$half"
    ls -t soak.*.mov | tail -n +3 | xargs -r rm
done
touch end
finish 0
usual() { sort -n -k "$2" "half$1" | sed -n "$((($(wc -l <"half$1") + 1) / 2))p" | cut -d ' ' -f "$2"; }
for column in 1 2 3; do
    [ "$(usual 2 $column)" -le $(($(usual 1 $column) + (column == 3 ? 2048 : 0))) ] || fail "more of $column: $(cat half1) and then $(cat half2)"
done
echo "threads, descriptors, kB: $(usual 1 1), $(usual 1 2), $(usual 1 3) and then $(usual 2 1), $(usual 2 2), $(usual 2 3)"
grep -c 'receives too slowly' stderr.txt || true
