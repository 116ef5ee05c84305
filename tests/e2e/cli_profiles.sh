#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Colour profiles are converted as ImageMagick does, or left where values are numbers; layers of OpenEXR are chosen.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg
command -v convert >/dev/null || skip "no ImageMagick here, and it makes the pictures"

# Profiles of a matrix and a curve of 1024 values: NAME, the colorants in 1/65536, the curve.
python3 - <<'PYTHON'
import struct
def write(name, colorants, light):
    xyz = [b'XYZ \0\0\0\0' + struct.pack('>3i', *c) for c in [(63190, 65536, 54061)] + colorants]
    curve = b'curv\0\0\0\0' + struct.pack('>I1024H', 1024, *(round(65535 * light(i / 1023)) for i in range(1024)))
    names = [b'wtpt', b'rXYZ', b'gXYZ', b'bXYZ', b'rTRC', b'gTRC', b'bTRC']
    tags = b''.join(n + struct.pack('>II', 216 + 20 * min(i, 4), 20 if i < 4 else len(curve)) for i, n in enumerate(names))
    body = struct.pack('>I', 7) + tags + b''.join(xyz) + curve
    head = struct.pack('>I4xI', 128 + len(body), 0x02400000) + b'mntrRGB XYZ ' + bytes(12) + b'acsp' + bytes(28)
    open(name, 'wb').write(head + struct.pack('>3i', 63190, 65536, 54061) + bytes(48) + body)
srgb = lambda v: v / 12.92 if v <= .04045 else ((v + .055) / 1.055) ** 2.4
write('srgb.icc', [(28576, 14581, 912), (25239, 46983, 6361), (9375, 3972, 46787)], srgb)
write('p3.icc', [(33759, 15807, -69), (19135, 45367, 2745), (10296, 4363, 51385)], srgb)
write('adobe.icc', [(39960, 20389, 1276), (13453, 41004, 3989), (9777, 4143, 48796)], lambda v: v ** 2.19921875)
PYTHON
make soft.png "gradients=s=52x38:seed=1:n=3:c0=red:c1=lime:c2=navy:x0=0:y0=0:x1=52:y1=38:r=1:d=1,format=rgb24,gblur=sigma=8" -frames:v 1

# expect FILE REFERENCE WORST OPTION...: level 0 of FILE is REFERENCE, but for WORST of 255.
expect() {
    rm -rf levels
    "$weir" mips "$1" levels --levels 1 --method per_level --format rgba8_srgb "${@:4}" >/dev/null 2>messages.txt ||
        fail "$1: $(cat messages.txt)"
    awk -v w="$(compare -metric PAE levels/*_level00.png "$2" null: 2>&1 || true)" -v most="$3" \
        'BEGIN { sub(/.*\(/, "", w); exit !(w + 0 <= (most + 0.01) / 255) }' || fail "$1 ${*:4} is read wrong"
}
for profile in p3 adobe; do
    convert soft.png +profile '*' -profile $profile.icc -quality 100 -sampling-factor 4:4:4 -define webp:lossless=true \
        -write wide.png -write wide.jpg -write wide.tif wide.webp
    for file in wide.png wide.jpg wide.tif wide.webp; do
        convert $file -strip as_is.png
        expect $file as_is.png $([ $file = wide.jpg ] && echo 3 || echo 0) --profile ignore # decoders of JPEG differ
        [ ! -s messages.txt ] || fail "$file: $(cat messages.txt)"
        convert levels/*_level00.png +profile '*' -profile $profile.icc -profile srgb.icc -strip own.png
        expect $file own.png 1
        grep -q 'are converted to sRGB' messages.txt || fail "$file of $profile: $(cat messages.txt)"
    done
    "$weir" transcode wide.png wide.mov --quiet 2>messages.txt
    grep -q 'are converted to sRGB' messages.txt || fail "transcode: $(cat messages.txt)"
    convert wide.png -profile srgb.icc -strip own.png
    expect_psnr wide.mov own.png 32
    "$weir" palette wide.png few.png --colors 200 2>messages.txt >/dev/null
    grep -q 'are converted to sRGB' messages.txt || fail "palette: $(cat messages.txt)"
    "$weir" texture wide.png numbers.ktx2 --codec rgba8 2>messages.txt >/dev/null
    grep -q 'taken as numbers' messages.txt || fail "texture: $(cat messages.txt)"
    "$weir" texture --decode numbers.ktx2 numbers.png >/dev/null
    [ "$(compare -metric AE numbers.png wide.png null: 2>&1)" = 0 ] || fail "numbers were converted"
done
convert soft.png +profile '*' -profile srgb.icc same.png
expect same.png soft.png 0
[ ! -s messages.txt ] || fail "sRGB: $(cat messages.txt)"

# A JPEG of CMYK, with a profile or without, is decoded to RGB.
cp srgb.icc cmyk.icc
printf CMYK | dd of=cmyk.icc bs=1 seek=16 conv=notrunc status=none
convert soft.png +profile '*' -colorspace CMYK -write inks.jpg -profile cmyk.icc cmyk.jpg
for file in inks cmyk; do
    expect $file.jpg soft.png 30
    [ "$(grep -c 'its CMYK becomes RGB by a plain formula' messages.txt)/$(wc -l <messages.txt)" = 1/1 ] || fail "CMYK: $(cat messages.txt)"
    "$weir" transcode $file.jpg $file.mov --quiet 2>messages.txt
    ! grep alpha messages.txt || fail "ink is taken for alpha"
done

# Layers, and what FFmpeg decodes for OpenEXR's library.
if command -v exrmultiview >/dev/null; then
    for colour in left:red right:blue; do
        make ${colour%:*}.exr "color=${colour#*:}:s=32x16:r=1:d=1" -frames:v 1 -pix_fmt gbrpf32le -format half
    done
    exrmultiview -z zip left left.exr right right.exr both.exr
    "$weir" transcode both.exr left.mov --quiet 2>messages.txt
    grep -q 'layer without a name is read; others, for --layer: right' messages.txt || fail "layers: $(cat messages.txt)"
    "$weir" transcode both.exr right.mov --quiet --layer right
    for colour in left:red right:blue; do
        make colour.png "color=${colour#*:}:s=32x16:r=1:d=1" -frames:v 1
        expect_psnr "${colour%:*}.mov" colour.png 30
    done
    # FFmpeg's decoder leaves blocks of it out, and says nothing.
    exrmultiview -z dwaa left left.exr right right.exr dwaa.exr
    expect_status 1 "compress it by ZIP or PIZ" "$weir" transcode dwaa.exr dwaa.mov
fi
echo passed
