#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tests/bench/record.sh and latency.sh: tables of figures that can be, the same in JSON, and a word on their use.
# bash bench_record.sh WEIR FOLDER
script=$(dirname "$(readlink -f "$0")")/../bench/record.sh
source "$(dirname "$0")/cli_common.sh"
export XDG_RUNTIME_DIR=/tmp # paths of sockets are short

status=0
SIZES="320x240 64x88" RATES="0 200" FOLDER=$PWD JSON=figures.json bash "$script" "$(dirname "$program")" 1 50 >table.txt \
    2>messages.txt || status=$?
[ $status != 77 ] || skip "$(cat messages.txt)"
[ $status = 0 ] || fail "status $status: $(cat messages.txt)"
cat table.txt
grep -q '; 50 frames; hap_q at effort fast, policy drop; .*; median of 1 rounds$' table.txt || fail "another head"
for size in 320x240 64x88; do
    for pace in free 200; do
        for way in plain idle recorded; do
            awk -v s=$size -v p=$pace -v w=$way '$1 == s && $2 == p && $3 == w && NF == 15 && $4 > 0 && $5 > 0 && $9 >= $6 &&
                $6 >= $5 && (w == "recorded") == ($15 > 0) { found++ } END { exit found != 1 }' table.txt ||
                fail "no figures of $size, $pace, $way"
        done
    done
done
[ "$(find . -name '*.mov*')" = "" ] || fail "movies are left"
expect_status 2 "record.sh BIN" bash "$script"
# The time to a receiver, through a pipe and by TCP.
SIZE=64x88 PORT=$((20000 + $$ % 20000)) bash "${script%record.sh}latency.sh" "$(dirname "$program")" 60 >table.txt 2>messages.txt ||
    fail "latency.sh: $(cat messages.txt)"
cat table.txt
awk 'NR > 1 && ($2 != 30 || !(0 < $3 && $3 <= $4 && $4 <= $5 && $5 <= $6)) { exit 1 } END { exit NR != 3 }' table.txt || fail "no latencies"
expect_status 1 "unknown option --nonsense" bash "$script" "$(dirname "$program")" 1 40 --nonsense
command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - <<'PYTHON' || fail "the JSON is wrong: $(cat figures.json)"
import json
rows = json.load(open("figures.json"))["rows"]
assert [(r["size"], r["rate"], r["way"]) for r in rows] == [
    (s, r, w) for s in ("320x240", "64x88") for r in (0, 200) for w in ("plain", "idle", "recorded")]
for row in rows:
    assert row["fps"] > 0 and 0 < row["wall_min_us"] <= row["wall_median_us"] <= row["wall_max_us"]
    assert row["cpu_min_us"] <= row["cpu_median_us"] <= row["cpu_p99_us"] <= row["cpu_p999_us"] <= row["cpu_max_us"]
    assert (row["recorded_percent"] is None) == (row["way"] != "recorded")
PYTHON
