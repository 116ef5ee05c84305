#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# DDS files in programs that know the older header alone: ImageMagick and three.js. Run as: bash cli_texture_dds.sh WEIR
# FOLDER NPM, where NPM is the folder that ./dev setup installs packages in. FFmpeg judges them in cli_texture.sh.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
npm=$3
command -v compare >/dev/null || skip "no compare of ImageMagick here, which is the judge"
command -v node >/dev/null || skip "no node here, which runs the judge"
[ -e "$npm/node_modules/three" ] || skip "no three here; ./dev setup installs it where npm's registry is reached"

# magick FILE OTHER: as ImageMagick reads and compares them, and where it does not read one, why.
magick() { compare -metric PSNR "$1" "$2" null: 2>&1 || true; }

# at_least DECIBELS BOUND: version 7 has a second number behind the first.
at_least() { awk -v v="${1%% *}" -v b="$2" 'BEGIN { exit !(v == "inf" || (v ~ /^[0-9.]+$/ && v + 0 >= b)) }'; }

four_cc() { head -c 88 "$1" | tail -c 4; }

three() { node "$npm/check_dds.mjs" "$@" >judged.txt 2>stderr.txt; }

make picture.png testsrc2=s=64x32:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make odd.png testsrc2=s=61x33:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i picture.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='4*X'" alpha.png

# ImageMagick reads BC1 and BC3, with levels and without, at sizes of whole blocks and not; it rounds texels between the
# ends of a block to 8 bits.
while read -r picture options; do
    # shellcheck disable=SC2086
    texture $picture.png old.dds --effort fast --codec $options
    decode old.dds decoded.png
    found=$(magick old.dds decoded.png)
    at_least "$found" 45 || fail "old.dds of $picture, $options: $found"
done <<'CASES'
picture bc1 --mips
picture bc3 --mips
odd bc1
odd bc1a
odd bc3
alpha bc3
CASES
texture odd.png other.dds --effort fast
! at_least "$(magick other.dds decoded.png)" 45 || fail "ImageMagick takes any picture for any other"

# three.js reads the same blocks, level by level.
fast=(--effort fast)
texture picture.png bc1.dds --mips "${fast[@]}"
texture picture.png bc1a.dds --codec bc1a "${fast[@]}"
texture picture.png bc3.dds --codec bc3 --mips "${fast[@]}"
texture picture.png bc6h.dds --codec bc6h --mips "${fast[@]}"
three bc1.dds bc1a.dds bc3.dds bc6h.dds || fail "$(cat stderr.txt)"
[ "$(cat judged.txt)" = "bc1.dds: RGB_S3TC_DXT1_Format 64x32 7
bc1a.dds: RGB_S3TC_DXT1_Format 64x32 1
bc3.dds: RGBA_S3TC_DXT5_Format 64x32 7
bc6h.dds: RGB_BPTC_UNSIGNED_Format 64x32 7" ] || fail "three.js reads $(cat judged.txt)"
{ head -c 28 bc1.dds; printf '\003'; tail -c +30 bc1.dds; } >fewer.dds
! three fewer.dds || fail "the judge does not see that levels are missing"

# What the older header cannot say has the newer one, and so has what --dx10 asks for, with the same blocks. three.js
# refuses it.
texture picture.png marked.dds --srgb "${fast[@]}"
texture picture.png multiplied.dds --codec bc3 --alpha multiply "${fast[@]}"
texture picture.png bc7.dds --codec bc7 "${fast[@]}"
texture picture.png asked.dds --mips --dx10 "${fast[@]}"
for file in marked multiplied bc7 asked; do
    [ "$(four_cc $file.dds)" = DX10 ] || fail "$file.dds has the FourCC $(four_cc $file.dds)"
    ! three $file.dds || fail "three.js reads $file.dds: the reason for the older header is gone"
done
cmp <(tail -c +149 asked.dds) <(tail -c +129 bc1.dds) || fail "--dx10 changes blocks"
mkdir pictures
cp picture.png pictures
texture pictures textures --mips --dx10 --container dds "${fast[@]}"
cmp textures/picture.dds asked.dds || fail "--dx10 is not done in a folder"
expect_status 2 "--dx10: it is for .dds files" "$weir" texture picture.png out.ktx2 --dx10
expect_status 2 "--dx10: it is for .dds files" "$weir" texture pictures none --dx10
expect_status 2 "it takes --mip and --max-memory, no other option" "$weir" texture --decode bc1.dds out.png --dx10
expect_no out.ktx2 out.png none
echo passed
