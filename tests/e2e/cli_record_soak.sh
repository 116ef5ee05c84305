#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_soak.sh WEIR FOLDER FAKE [SECONDS]: a recording with a receiver that comes and goes, some of which read nothing for
# a while: threads, descriptors and memory stay as they are. In a test it lasts ten seconds.
docs=$(cd "$(dirname "$0")" && pwd)
source "$docs/cli_common.sh"
source "$docs/record/record_common.sh"
seconds=${4:-10}

port=$((20000 + $$ % 12000)) # the system gives those from 32768 on to clients
start --quiet --output soak.mov --segment 1 --also "tcp://127.0.0.1:$port?listen" -- "$fake" --fps 60 --until end
receive() { timeout "$1" ffmpeg -nostdin -v quiet "${@:2}" -i "tcp://127.0.0.1:$port" -c copy -f null - || true; }
# A line: threads, descriptors and memory [kB] of the recorder.
sample() {
    echo "$(ls "/proc/$recorder/task" | wc -l) $(ls "/proc/$recorder/fd" | wc -l) $(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$recorder/status")"
}
until_true receive 2 -frames:v 10
for ((end = SECONDS + seconds, num = 0; num < 9 || SECONDS < end; num++)); do
    receive 1 -re
    receive 1
    sample >>samples
    ls -t soak.*.mov | tail -n +3 | xargs -r rm
done
touch end
finish 0
# usual THIRD COLUMN: the median in the second or last third of the time; in the first one memory grows to what it needs.
usual() { head -n $(($1 * num / 3)) samples | tail -n $((num / 3)) | sort -n -k "$2" | sed -n "$((num / 6 + 1))p" | cut -d ' ' -f "$2"; }
for column in 1 2 3; do
    [ "$(usual 3 $column)" -le $(($(usual 2 $column) + (column == 3 ? 4096 : 0))) ] || fail "more in the end: $(cat samples)"
done
echo "threads, descriptors, kB: $(usual 2 1), $(usual 2 2), $(usual 2 3) and then $(usual 3 1), $(usual 3 2), $(usual 3 3)"
