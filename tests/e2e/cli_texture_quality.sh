#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture --quality: blocks that compress better, of every codec that has them: bash cli_texture_quality.sh WEIR FOLDER
# NPM, where NPM is the folder that ./dev setup installs the judges in, ktx-parse and three.js.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg
npm=$3

# Shapes and grain, larger than a tile of the optimiser, at a size that is none of whole blocks. Both sides of a level are
# powers of two, or none is: a software device compiles two variants of a kernel.
make grain.png "testsrc2=s=150x144:r=1:d=1,noise=alls=8:allf=t:all_seed=1,format=rgb24" -frames:v 1

# said FILE: the decibels in the line on it.
said() { sed -n 's/.*, \([0-9.]*\) dB at quality .*/\1/p' "$1"; }

# Less quality is fewer bytes, with all levels, and what the line says is what was lost.
fast=(--effort fast --mips --zstd)
texture grain.png q.ktx2 --codec bc4 --effort fast
[ -z "$(said stdout.txt)" ] || fail "there is nothing to say without --quality: $(cat stdout.txt)"
for quality in 100 50 20; do
    texture grain.png q$quality.ktx2 "${fast[@]}" --quality $quality
    stat -c %s q$quality.ktx2 >>bytes.txt
    said stdout.txt >>said.txt
    decode q$quality.ktx2 q$quality.png
    echo "q$quality.png grain.png"
done >pairs.txt
texture grain.png same.ktx2 --codec bc4 --effort fast --quality 100
cmp q.ktx2 same.ktx2 || fail "--quality 100 is not the default"
paste -d ' ' bytes.txt <(decibels <pairs.txt) <(echo none && cat said.txt) | tee sizes.txt
sort -c -u -k 1,1nr sizes.txt || fail "a lower quality has as many bytes: $(cat sizes.txt)"
sort -c -k 2,2nr sizes.txt || fail "a lower quality is nearer to the picture: $(cat sizes.txt)"
awk 'NR == 1 { most = $1; best = $2 }
    NR > 1 && ($3 - $2 > 0.06 || $2 - $3 > 0.06) { print "what it says is not what was lost"; exit 1 }
    END { if ($1 > 0.75 * most || $2 < best - 4) { print "too many bytes, or too few decibels"; exit 1 } }' sizes.txt >why.txt ||
    fail "$(cat why.txt): $(cat sizes.txt)"

# The other codecs, two pictures of a folder one after the other, which become what they become alone.
mkdir pictures
ffmpeg -nostdin -v error -y -i grain.png -vf crop=138:130 pictures/grain.png
make pictures/bars.png "smptebars=s=140x68:r=1:d=1,format=rgba,colorchannelmixer=aa=0.5,noise=alls=6:allf=t:all_seed=1" -frames:v 1
while read -r codec alpha size; do
    kind=(--codec "$codec" --alpha "$alpha" --effort fast --zstd --quality 40)
    texture pictures "$codec" "${kind[@]}"
    few=$(stat -c %s "$codec/bars.ktx2") many=$((35 * 17 * size))
    printf '%s: %s bytes for %s bytes of blocks\n' "$codec" "$few" "$many"
    [ $((few * 5)) -lt $((many * 2)) ] || fail "$codec: $few bytes at quality 40, for $many of blocks"
done <<<"bc3 straight 16
bc4 ignore 8
bc5 ignore 16"
texture pictures/grain.png alone.ktx2 "${kind[@]}"
cmp bc5/grain.ktx2 alone.ktx2 || fail "other blocks in a folder"

# Without Zstandard the file has its size, of which one line tells; that of a DDS file is known, and FFmpeg reads it.
"$weir" texture grain.png plain.ktx2 --effort fast --mips --quality 50 >stdout.txt 2>stderr.txt || fail "$(cat stderr.txt)"
[ "$(cat stderr.txt)" = "weir texture: --quality: files get no smaller until they are compressed; --zstd does that" ] ||
    fail "$(cat stderr.txt)"
texture plain.ktx2 again.ktx2 --zstd
cmp again.ktx2 q50.ktx2 || fail "the same blocks become another file"
texture grain.png q50.dds --effort fast --quality 50 --validation
at_least "$(decibels <<<"q50.dds q50.png")" 38 || fail "FFmpeg reads other blocks in q50.dds"

expect_status 2 "--quality 60: etc1 does not have it; use --codec bc1, bc3, bc4, bc5, bc7, or leave it out" \
    "$weir" texture grain.png no.ktx2 --codec etc1 --quality 60
expect_status 2 "--quality 60: bc5_snorm does not have it" "$weir" texture grain.png no.ktx2 --codec bc5_snorm --quality 60
for quality in 0 101 -1 60.5 high; do
    expect_status 2 "--quality $quality: a whole number from 1 to 100" "$weir" texture grain.png no.ktx2 --quality=$quality
done
expect_status 2 "--bc1-dither: --quality takes dither for an error" "$weir" texture grain.png no.ktx2 --quality 60 --bc1-dither
expect_status 2 "it takes --mip and --max-memory" "$weir" texture --decode plain.ktx2 no.png --quality 60
expect_status 1 "--quality: plain.ktx2 is a texture already" "$weir" texture plain.ktx2 no.ktx2 --quality 60
expect_no no.ktx2 no.png

if ! command -v node >/dev/null || [ ! -e "$npm/node_modules/three" ]; then
    printf 'ktx-parse and three.js are not here; ./dev setup installs them where npm is reached\n'
    exit 0
fi
node "$npm/check_ktx2_zstd.mjs" q50.ktx2 plain.ktx2 >judged.txt 2>judge.txt || fail "$(cat judge.txt)"
grep -q "q50.ktx2: 8 levels" judged.txt || fail "$(cat judged.txt)"
echo passed
