#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir-bench play: figures that can be, of each movie, in its table and its JSON, and a movie that is none.
source "$(dirname "$0")/cli_common.sh"
hold weir-bench
bench=$held/weir-bench

make in.mkv testsrc2=s=64x48:r=25:d=1 -c:v ffv1
for codec in hap hap_q_alpha; do "$weir" transcode in.mkv $codec.mov --codec $codec --quiet; done
"$bench" play hap.mov hap_q_alpha.mov --milliseconds 200 --validation --json out.json >out.txt || fail "status $?: $(cat out.txt)"
grep -q '^  hap.mov  *hap ' out.txt && grep -q '^  hap_q_alpha.mov  *hap_q_alpha ' out.txt || fail "a row is missing: $(cat out.txt)"
expect_status 2 "0 arguments instead of 1 or more" "$bench" play
expect_status 1 "in.mkv has no index" "$bench" play in.mkv
expect_status 1 "missing.mov" "$bench" play missing.mov
command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - <<'PYTHON' || fail "the JSON is wrong: $(cat out.json)"
import json

movies = json.load(open("out.json"))["movies"]
assert [m["bytes_per_frame"] for m in movies] == [192 * 8, 192 * 24]
for m in movies:
    assert m["asked"] == m["calls"]["num"] == 5 and m["late"] <= 5 and m["calls"]["median_us"] > 0
    assert abs(m["frames_per_s"] * m["bytes_per_frame"] / 1e9 / m["bus_gb_per_s"] / m["share_of_bus"] - 1) < 1e-4
PYTHON
echo passed
