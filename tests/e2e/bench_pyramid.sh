#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir-bench pyramid: its table and its JSON say the same, and wrong input is told.
source "$(dirname "$0")/cli_common.sh"
hold weir-bench
bench=$held/weir-bench

expect_status 2 "not 1x1" "$bench" pyramid --sizes 64x64,1x1
expect_status 2 "8x8x0: at most" "$bench" pyramid --sizes 8x8x0
expect_status 2 'unknown methods "fastest"; known: single' "$bench" pyramid --methods single,fastest
expect_status 2 'unknown methods "auto"' "$bench" pyramid --methods auto
expect_status 2 'unknown format "rgb9"; known: .*rgba8_srgb' "$bench" pyramid --format rgb9
expect_status 2 'unknown reduction "custom"' "$bench" pyramid --reduction custom
expect_status 1 "cannot write 'no_folder/x.json'" "$bench" pyramid --sizes 8x8 --json no_folder/x.json
expect_no no_folder

# No powers of two, for which a software device would compile kernels again.
"$bench" pyramid --sizes 60x44,37x21,30x30x3,60000x8 --repeats 2 --submits 2 --validation --json out.json >out.txt
grep -q "^37x21, 6 levels" out.txt || fail "the table has no size 37x21: $(cat out.txt)"
grep -q "^30x30, 3 layers, 5 levels" out.txt || fail "the table has no array: $(cat out.txt)"
grep -q "^60000x8: skipped: the device allows at most\|^60000x8, 16 levels" out.txt ||
    fail "60000x8 is neither measured nor skipped: $(cat out.txt)"
for row in floor empty single hybrid fast general subgroup per_level blit; do
    [ "$(grep -c "^  $row  " out.txt)" -ge 3 ] || fail "a size has no line of $row: $(cat out.txt)"
done
grep -q "^  single, one by one  *3 " out.txt || fail "no line of a dispatch a layer: $(cat out.txt)"

# A method is refused for its sides, and the floor is measured.
"$bench" pyramid --sizes 30x20x2 --methods fast --format r16_sfloat --reduction max \
    --precision exact --repeats 1 --submits 1 --no-cold --json - >dash.json 2>dash.txt
grep -q "^30x20, 2 layers" dash.txt || fail "with --json - the table is not on standard error"

command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - <<'PYTHON' || fail "the JSON is wrong: $(cat out.json)"
import json

out = json.load(open("out.json"))
assert out["bench"] == "pyramid" and out["format"] == "rgba8_srgb" and out["reduction"] == "mean"
assert out["repeats"] == 2 and out["submits"] == 2 and "--sizes 60x44," in out["command"]
assert [(s["width"], s["height"], s["layers"]) for s in out["sizes"][:3]] == [
    (60, 44, 1), (37, 21, 1), (30, 30, 3)]
for size in out["sizes"][:3]:
    levels = max(size["width"], size["height"]).bit_length()
    texels = sum(max(1, size["width"] >> i) * max(1, size["height"] >> i) for i in range(levels))
    assert size["levels"] == levels and size["bytes"] == 4 * size["layers"] * texels
    assert size["num_images"] >= 8
    rows = {row["name"]: row for row in size["methods"]}
    assert rows["per_level"]["dispatches"] == levels - 1 and rows["single"]["dispatches"] == 1
    apart = rows.get("single, one by one")
    assert (apart is not None) == (size["layers"] > 1)
    if apart:
        assert apart["dispatches"] == size["layers"] and apart["cold"] is None
    for row in rows.values():
        assert bool(row["refused"]) == (row["hot"] is None), row
        for cache in ("hot", "cold"):
            times, floor = row[cache], rows["floor"][cache]
            if times:
                assert times["num"] == 2
                assert 0 < times["min_us"] <= times["median_us"] <= times["p95_us"]
                ratio = times["median_us"] / floor["median_us"]
                assert abs(times["ratio_to_floor"] / ratio - 1) < 1e-3
    for cache in ("hot", "cold"):
        floor = rows["floor"][cache]
        forms = {form[cache]["form"]: form[cache]["median_us"] for form in size["floor_forms"]}
        assert floor["ratio_to_floor"] == 1
        assert floor["median_us"] == min(forms.values()) == forms[floor["form"]]

dash = json.load(open("dash.json"))
assert dash["format"] == "r16_sfloat" and dash["reduction"] == "max"
assert dash["sizes"][0]["layers"] == 2 and dash["sizes"][0]["bytes"] == 2 * 2 * (
    30 * 20 + 15 * 10 + 7 * 5 + 3 * 2 + 1)
assert all(row["cold"] is None for row in dash["sizes"][0]["methods"])
assert "--precision exact" in dash["command"]
refused = {row["name"]: row["refused"] for row in dash["sizes"][0]["methods"]}
assert "must divide by 2" in refused["fast"] and not refused["floor"], refused
PYTHON
echo passed
