#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# KTX2 files judged by ktx-parse, which is not ours: bash cli_texture_ktx2.sh WEIR FOLDER WRITER NPM, where WRITER
# writes files of every format, and NPM is the folder that ./dev setup installs packages in.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
writer=$3
npm=$4
command -v node >/dev/null || skip "no node here, which runs the judge"
[ -e "$npm/node_modules/ktx-parse" ] || skip "no ktx-parse here; ./dev setup installs it where npm's registry is reached"

judge() { node "$npm/check_ktx2.mjs" "$@" >judged.txt 2>stderr.txt; }

# Every format, at sizes and numbers of levels of all kinds.
mkdir formats
"$writer" formats >writer.txt || fail "the files were not written: $(cat writer.txt)"
judge formats/*.ktx2 || fail "$(cat stderr.txt)"
[ "$(wc -l <judged.txt)" = $((26 * 6)) ] || fail "$(wc -l <judged.txt) files were judged"
[ "$(grep -c "BC7_SRGB_BLOCK 257x3 9" judged.txt)" = 1 ] || fail "no BC7 among $(cat judged.txt)"

# Those of weir texture: of a third of the codecs, from where the seed says, as every format was judged above; and of blocks
# of 16 and 8 bytes with levels.
make picture.png testsrc2=s=60x35:r=1:d=1,format=rgb24 -frames:v 1
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
codecs=$(known codec | tr ' ' '\n' | awk -v turn="$seed" 'NR % 3 == turn % 3')
for codec in $codecs; do
    texture picture.png "$codec.ktx2" --codec "$codec" --effort fast
done
texture picture.png levels.ktx2 --codec eac_rg11 --mips --effort fast --validation
judge ./*.ktx2 || fail "$(cat stderr.txt)"
[ "$(grep -c " 60x35 1$" judged.txt)" = "$(wc -w <<<"$codecs")" ] || fail "not all have one level: $(cat judged.txt)"
grep -q "^./levels.ktx2: .* 60x35 6$" judged.txt || fail "levels.ktx2 has not 6 levels: $(cat judged.txt)"
texture picture.png srgb.ktx2 --srgb --mips --effort fast
judge srgb.ktx2 || fail "$(cat stderr.txt)"
grep -q "VK_FORMAT_BC1_RGB_SRGB_BLOCK 60x35 6" judged.txt || fail "srgb.ktx2 is $(cat judged.txt)"

# The judge sees a wrong byte in each part: the format, a level's place, its size, the descriptor, the padding.
broken() {
    cp srgb.ktx2 broken.ktx2
    # shellcheck disable=SC2059
    printf "$2" | dd of=broken.ktx2 bs=1 seek="$1" conv=notrunc status=none
    ! judge broken.ktx2 || fail "a wrong byte at $1 passes"
}
descriptor=$(od -An -t u4 -j 48 -N 4 srgb.ktx2 | xargs)
broken 12 '\001'
broken 16 '\002'
broken 80 '\001'
broken 88 '\010'
broken 96 '\010'
broken $((descriptor + 14)) '\001'
broken $((descriptor + 16)) '\001'
broken $((descriptor + 30)) '\076'
echo passed
