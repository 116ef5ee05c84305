#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir-bench palette: its tables and its JSON say the same, and wrong input is told.
source "$(dirname "$0")/cli_common.sh"
hold weir-bench
bench=$held/weir-bench

expect_status 2 "numbers of colours from 1 to 2097152" "$bench" palette --colors 0
expect_status 2 "colors : numbers of colours" "$bench" palette --colors 5,
expect_status 2 "number from 0 to 1.7320508" "$bench" palette --radius 2
expect_status 2 'unknown methods "theirs"; known: ours, live' "$bench" palette --methods ours,theirs
expect_status 2 "whole number from 1 to 256" "$bench" palette --num-colors 257
expect_status 1 "cannot write 'no_folder/x.json'" "$bench" palette --colors 5 --quick --json no_folder/x.json
expect_no no_folder
expect_status 1 "missing.png" "$bench" palette --colors 5 --quick --methods ours --picture missing.png
make clear.png "color=black@0.0:size=16x16,format=rgba" -frames:v 1
expect_status 1 "every pixel is transparent" "$bench" palette --colors 5 --quick --methods ours --picture clear.png

make picture.png "testsrc2=size=64x48" -frames:v 1
"$bench" palette --colors 300,1000 --picture picture.png --quick --repeats 2 --radius 0.005 --validation \
    --json out.json >out.txt
for row in "300 colours" "1000 colours" "picture.png" "flat art"; do
    [ "$(grep -c "^  $row  " out.txt)" = 2 ] || fail "not two lines of $row: $(cat out.txt)"
done
grep -q "^  flat art  *640x360 " out.txt || fail "flat art has no size: $(cat out.txt)"

"$bench" palette --colors 200 --quick --weight frequency --light srgb --radius 0.005 \
    --json - >dash.json 2>dash.txt
grep -q "^  200 colours " dash.txt || fail "with --json - the table is not on standard error"

"$bench" palette --colors 200 --quick --methods live --num-colors 8 --validation --json live.json >live.txt
[ "$(grep -c "^  200 colours  " live.txt)" = 3 ] || fail "not three lines of 200 colours: $(cat live.txt)"

command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - <<'PYTHON' || fail "the JSON is wrong: $(cat out.json)"
import json

out = json.load(open("out.json"))
assert out["bench"] == "palette" and out["weight"] == "equal" and out["light"] == "raw"
assert abs(out["radius"] - 0.005) < 1e-9 and out["repeats"] == 2
assert "--colors 300,1000 " in out["command"] and "--picture picture.png" in out["command"]
pictures = out["pictures"]
assert [p["name"] for p in pictures] == ["300 colours", "1000 colours", "picture.png", "flat art"]
assert [p["colors"] for p in pictures[:2]] == [300, 1000] and pictures[3]["colors"] == 64
assert (pictures[2]["width"], pictures[2]["height"]) == (64, 48)
lines = [line.split() for line in open("out.txt")]
for picture in pictures:
    ours = picture["ours"]
    assert 1 <= ours["new_colors"] <= picture["colors"] and ours["unfinished"] == 0
    stages = {name: stage["median_us"] for name, stage in ours["stages"].items()}
    assert set(stages) == {"count", "start", "iterate", "finish", "map", "copy", "total"}
    assert all(stage["num"] == 2 for stage in ours["stages"].values())
    near = lambda a, b: abs(a - b) <= 1e-4 * max(a, b)
    assert near(picture["count_ratio_to_copy"], stages["count"] / stages["copy"] * 2)
    assert near(picture["map_ratio_to_copy"], stages["map"] / stages["copy"])
    assert near(ours["ns_per_evaluation"], stages["iterate"] * 1000 / ours["evaluations"])
    assert any(line[: len(picture["name"].split())] == picture["name"].split() and
               str(ours["evaluations"]) in line for line in lines)

dash = json.load(open("dash.json"))
row = dash["pictures"][0]
assert dash["weight"] == "frequency" and dash["light"] == "srgb"
assert all(p["live"] is None for p in [row] + pictures)

for picture in json.load(open("live.json"))["pictures"]:
    live = picture["live"]
    assert picture["ours"] is None and (live["width"], live["height"]) == (320, 180)
    for name in "look", "move", "fill":
        assert near(live[name + "_ratio_to_copy"], live[name]["median_us"] / live["copy"]["median_us"])
    # What follows looks at the picture too, and moves to the means of its pixels, not of a table's.
    assert live["decibels"] > live["anew_of_table"]["decibels"] - 1 > 15
PYTHON
echo passed
