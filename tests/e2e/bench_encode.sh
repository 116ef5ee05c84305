#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir-bench encode: codecs, efforts and qualities in its table and its JSON, and wrong input is told. Every run has colour,
# alpha, one channel and two, of 8 bits and of half floats, and of the other codecs one that WEIR_SEED draws; with --all it
# has all. That "all" names each codec shows e2e_bench_encode_rows.
# bash bench_encode.sh WEIR FOLDER BENCH [--all]
source "$(dirname "$0")/cli_common.sh"
hold weir-bench
bench=$held/weir-bench
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
others=(eac_r11 eac_rg11 etc1 etc2_rgb etc2_rgb8a1 etc2_rgba bc6h_signed bc7)
codecs=bc1,bc3,bc4,bc6h,${others[seed % 8]}
[ "${4:-}" != --all ] || codecs=all

# measure OPTIONS...: of small images, without one message. No powers of two: of other kernels than gpu_encode has the
# software device would compile more than fifty.
measure() {
    "$bench" encode --sizes 60x60 --quick --milliseconds 20 --no-stream "$@" >stdout.txt 2>stderr.txt ||
        fail "weir-bench encode $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir-bench encode $* says $(cat stderr.txt)"
}

expect_status 2 'unknown codec "dxt9"; known: all, hap_q, hap, hap_alpha, hap_r, hap_hdr, ycocg_bc3, .*bc1' "$bench" encode --codec bc1,dxt9
expect_status 1 "missing.png: No such file" "$bench" encode --sizes 60x60 --picture missing.png
expect_status 0 "--codec LIST .*all, hap_q, hap, " "$bench" encode --help

make wide.png testsrc2=s=97x61:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make soft.png gradients=s=64x48:r=1:d=1:seed=5,format=gbrp -frames:v 1 -pix_fmt rgb24
make flat.png color=black:s=9x5:r=1:d=1,format=rgb24 -frames:v 1
make light.exr testsrc2=s=16x16:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
ffmpeg -nostdin -v error -y -i wide.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'" alpha.png

# All that can be measured besides: of some codecs each, as bc5 is never steady, bc1a has no optimiser, bc4 no proxy.
measure --codec bc1,bc1a,bc4,bc5 --effort fast --steady --quality 60 --proxy 1 --snappy --validation --json added.json
for word in proxy apart; do
    grep -q "^  bc1  *$word " stdout.txt && ! grep -q "^  bc4  *$word " stdout.txt || fail "rows of $word: $(cat stdout.txt)"
done
grep -q "^  bc5  *pack .* to [0-9.]* %$" stdout.txt || fail "no row of Snappy: $(cat stdout.txt)"
measure --codec $codecs --effort fast --validation --json all.json # whose kernels a software device compiles soonest
"$bench" encode --sizes 60x60,100x30 --codec dxt1,HapQ,bc1,ycocg_bc3 --effort fast,default --quick --milliseconds 20 \
    --json - >both.json 2>both.txt || fail "$(cat both.txt)"
for word in floor blocks hap_q copy "bc1  *fast .* dB RGB$" "(quality and times: of the generated picture"; do
    grep -q "^ *$word" both.txt || fail "no $word in the table, which --json - puts on standard error: $(cat both.txt)"
done

while read -r picture codecs; do
    measure --codec "$codecs" --effort fast --picture $picture --json "${picture%.*}.json"
done <<'PICTURES'
wide.png hap_q,bc1,bc3,bc4
soft.png bc1,bc4
alpha.png bc1,bc3
flat.png hap_q,bc4
light.exr bc4
PICTURES
measure --codec bc1,bc4 --effort fast --picture wide.png,light.exr,soft.png --json two.json
grep -q "mean of 2 pictures; times: of images that these fill" stdout.txt || fail "the pictures are not told: $(cat stdout.txt)"
# What Snappy leaves of one codec: images of one colour pack to little.
measure --codec hap_q --effort fast --snappy --picture flat.png
grep -q "^  hap_q  *pack .* to 1[0-9].[0-9]* %$" stdout.txt || fail "the images are not of the picture: $(cat stdout.txt)"

# What FFmpeg's decoders make of the same blocks: they truncate, which hardly shows in a picture of so few dB.
"$weir" transcode wide.png wide.mov --effort fast --quiet 2>/dev/null
"$weir" texture wide.png wide.dds --effort fast >texture.txt
"$weir" texture wide.png wide3.dds --codec bc3 --effort fast >texture.txt
judged="$(psnr wide.mov wide.png) $(psnr wide.dds wide.png) $(psnr wide3.dds wide.png)"
echo "FFmpeg: $judged"

command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - "$judged" <<'PYTHON' || fail "the JSON is wrong"
import json
import sys


def load(name):
    out = json.load(open(name + ".json"))
    assert out["bench"] == "encode" and "--quick" in out["command"]
    return out


def encodes(size):
    return [k for k in size["kernels"] if k["name"] == "encode"]


def check_kernels(size):
    texels = size["width"] * size["height"]
    blocks = ((size["width"] + 3) // 4) * ((size["height"] + 3) // 4)
    floors = {(k["texel_size"], k["block_size"]): k for k in size["kernels"] if k["name"] == "floor"}
    for kernel in size["kernels"]:
        written = texels * kernel["texel_size"] if kernel["name"] == "copy" else blocks * kernel["block_size"]
        assert kernel["bytes"] == texels * kernel["texel_size"] + written, kernel
        least = min(b for t, b in floors if t == kernel["texel_size"])
        floor = floors[kernel["texel_size"], kernel["block_size"] or least]
        for cache in "cold", "hot":
            times = kernel[cache]
            assert times["num"] >= 1 and 0 < times["min_us"] <= times["median_us"] <= times["max_us"], kernel
        assert ("codec" in kernel) == (kernel["name"] == "encode")


added = load("added")
kernels = added["sizes"][0]["kernels"]
codecs = {k["codec"]: k for k in kernels if k["name"] == "encode"}
assert codecs["bc1"]["steady"] and not codecs["bc5"]["steady"], codecs
assert codecs["bc4"]["rdo"] and not codecs["bc1a"]["rdo"], codecs
proxies = [k for k in kernels if k["name"] in ("proxy", "apart") and k["codec"] == "bc1"]
assert [(k["name"], k["bytes"]) for k in proxies] == [
    (name, 60 * 60 * 4 * (1 + again) + 15 * 15 * 8 + 30 * 30 * 4) for name, again in (("proxy", 0), ("apart", 1))], proxies
packs = [k for k in kernels if k["name"] == "pack"]
assert {k["codec"] for k in packs} == set(codecs), packs
for kernel in packs:
    blocks = 15 * 15 * kernel["block_size"]
    assert 0 < kernel["packed_percent"] <= 100, kernel
    assert abs(kernel["bytes"] - blocks * (1 + kernel["packed_percent"] / 100)) < 1, kernel

held = {"ycocg_bc3": "RGB", "bc1": "RGB", "bc3": "RGBA", "bc4": "R", "bc5": "RG", "eac_r11": "R", "eac_rg11": "RG"}


def rows_of(name):
    size = load(name)["sizes"][0]
    check_kernels(size)
    rows = {(k["codec"], k["effort"]): k["quality"] for k in encodes(size)}
    assert len(rows) == len(encodes(size))
    for (codec, effort), quality in rows.items():
        if codec in held:
            assert quality["channels"] == held[codec] and quality["value"] > 36, (codec, effort, quality)
    return rows


every = rows_of("all")
assert len(every) >= 5 and {effort for codec, effort in every} == {"fast"}, every.keys()

both = load("both")
for size in both["sizes"]:
    check_kernels(size)
    got = [(k["codec"], k["effort"]) for k in encodes(size)]
    assert got == [("hap_q", "fast"), ("hap_q", "default"), ("bc1", "fast"), ("bc1", "default")], got
    assert size["bus_gb_per_s"] > 0
    quality = encodes(size)[1]["quality"]
    assert quality["measure"] == "psnr_db" and quality["generated"] and 38 < quality["value"] < 45, quality
    assert len(size["streams"]) == 3 and all(s["sink"] == "null" for s in size["streams"])


def qualities(name):
    return {k["codec"]: k["quality"] for k in encodes(load(name)["sizes"][0])}


wide, soft, two = qualities("wide"), qualities("soft"), qualities("two")
for codec, quality in two.items():
    assert quality["num_pictures"] == 2 and not quality["generated"]
    values = wide[codec]["value"], soft[codec]["value"]
    if None in values: # a picture that lost nothing: so is the mean
        assert quality["value"] is None and quality["lossless"], codec
        continue
    assert abs(quality["value"] - sum(values) / 2) < 1e-3, codec
for codec, judged in zip(("hap_q", "bc1", "bc3"), map(float, sys.argv[1].split())):
    assert abs(wide[codec]["value"] - judged) < 0.15, (codec, wide[codec], judged)
assert wide["bc3"]["channels"] == "RGB" and abs(wide["bc3"]["value"] - wide["bc1"]["value"]) < 1e-3
alpha = qualities("alpha")
assert alpha["bc3"]["channels"] == "RGBA" and alpha["bc3"]["value"] > alpha["bc1"]["value"] + 0.5
assert abs(alpha["bc1"]["value"] - wide["bc1"]["value"]) < 0.05 # alpha is nothing to it
for quality in qualities("flat").values():
    assert quality["lossless"] and quality["value"] is None, quality
assert all(q["generated"] for q in qualities("light").values())
PYTHON
echo passed
