#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every kind of picture that people have: level 0 of weir mips is the picture, as ImageMagick or FFmpeg reads it.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg
command -v convert >/dev/null || skip "no ImageMagick here, and it makes the pictures"

make s.png testsrc2=s=52x38:r=1:d=1 -frames:v 1
convert s.png -alpha set -channel A -fx '(i+j)/90' alpha.png
convert s.png -depth 16 -fx 'u*0.9+0.001*i' deep.png

# level FILE: level 0, upright and with its own values, of FILE. Prints its name. No other level is made: the method is the
# one whose kernels are the smallest.
level() {
    rm -rf levels
    "$weir" mips "$1" levels --levels 1 --method per_level --values data 2>messages.txt >&2 || fail "$1: $(cat messages.txt)"
    local files=(levels/*_level00.*)
    printf '%s\n' "${files[0]}"
}

# expect_same FILE REFERENCE [WORST]: the same size, and no value further off than WORST of 255 (0).
expect_same() {
    local mine worst
    mine=$(level "$1")
    worst=$(compare -metric PAE "$mine" "$2" null: 2>&1) || true
    worst=${worst#*(}
    worst=${worst%)*}
    awk -v w="$worst" -v most="${3:-0}" 'BEGIN { exit !(w ~ /^[0-9.e-]+$/ && w * 255 <= most) }' ||
        fail "$1 is read wrong, by $worst of the range"
}

# TIFF: depths, compressions, tiles, planes, alpha of both kinds, bits and palettes.
n=0
while read -r source options; do
    n=$((n + 1))
    # shellcheck disable=SC2086
    convert "$source" $options "t$n.tif"
    convert "t$n.tif" "t$n.png"
    expect_same "t$n.tif" "t$n.png" 0.01
done <<'TEXT'
s.png -compress none
s.png -compress lzw
s.png -compress zip
s.png -compress rle
deep.png -compress zip
deep.png -compress lzw -endian msb
alpha.png -compress zip
alpha.png -depth 16 -compress lzw -define tiff:alpha=unassociated
s.png -colorspace gray -compress zip
s.png -colorspace gray -compress zip -define quantum:polarity=min-is-white
s.png -define tiff:tile-geometry=16x32 -compress zip
s.png -interlace plane -compress zip
s.png -monochrome -compress group4
s.png -colors 16 -depth 8 -type palette -compress lzw
TEXT
[ $n = 14 ] || fail "$n kinds of TIFF"
convert alpha.png -define tiff:alpha=associated associated.tif
convert associated.tif associated.png
expect_same associated.tif associated.png 1.5
# YCbCr is in codes of JPEG, and whoever decodes it rounds.
convert s.png -compress jpeg -quality 95 jpeg.tif
convert jpeg.tif jpeg.png
expect_same jpeg.tif jpeg.png 2

# Floats: what ImageMagick keeps of them in 16 bits.
convert deep.png -depth 32 -define quantum:format=floating-point f32.tif
expect_same f32.tif deep.png 0.01
convert deep.png -depth 64 -define quantum:format=floating-point f64.tif
expect_same f64.tif deep.png 0.01
convert deep.png -depth 16 -define quantum:format=floating-point f16.tif
expect_same f16.tif deep.png 0.13 # 11 bits
convert deep.png -colorspace gray -depth 32 -define quantum:format=floating-point grey.tif
convert grey.tif grey.png
expect_same grey.tif grey.png 0.01

# What TIFF files note of their camera: all orientations.
for orientation in TopRight BottomRight BottomLeft LeftTop RightTop RightBottom LeftBottom; do
    convert s.png -orient $orientation "$orientation.tif"
    convert "$orientation.tif" -auto-orient upright.png
    expect_same "$orientation.tif" upright.png
done

# Refused in words that help.
convert s.png -colorspace CMYK cmyk.tif
expect_status 1 "CMYK.*RGB first" "$weir" mips cmyk.tif nothing
expect_status 1 "CMYK.*RGB first" "$weir" transcode cmyk.tif nothing.mov
head -c 300 t2.tif >cut.tif
expect_status 1 "cut.tif.*damaged or cut short" "$weir" mips cut.tif nothing
expect_no nothing nothing.mov

# Radiance: packed rows, rows too narrow to be packed, and the eight ways in which rows may lie.
convert deep.png deep.hdr
convert deep.hdr hdr.png
expect_same deep.hdr hdr.png 0.01
convert deep.png -crop 5x7+3+3 +repage narrow.hdr
convert narrow.hdr narrow.png
expect_same narrow.hdr narrow.png 0.01
while read -r axes operation; do
    sed "s/^-Y 38 +X 52\$/${axes//_/ }/" deep.hdr >axes.hdr
    # shellcheck disable=SC2086
    convert hdr.png $operation axes.png
    expect_same axes.hdr axes.png 0.01
done <<'TEXT'
-Y_38_-X_52 -flop
+Y_38_+X_52 -flip
+Y_38_-X_52 -rotate 180
+X_38_-Y_52 -transpose
-X_38_-Y_52 -rotate 90
-X_38_+Y_52 -transverse
+X_38_+Y_52 -rotate 270
TEXT
head -c 3000 deep.hdr >cut.hdr
expect_status 1 "cut.hdr.*damaged or cut short" "$weir" mips cut.hdr nothing
sed 's/rle_rgbe/rle_xyze/' deep.hdr >xyze.hdr
expect_status 1 "xyze.hdr.*XYZ.*RGB first" "$weir" mips xyze.hdr nothing

# PNG of every depth and kind, and other pictures without loss.
for kind in "1 0" "2 0" "4 0" "8 0" "16 0" "8 3" "8 2" "16 2" "8 4" "16 4" "8 6" "16 6"; do
    depth=${kind% *} type=${kind#* } of=deep.png
    options="-define png:bit-depth=$depth -define png:color-type=$type"
    case $type in
    0) options="-colorspace gray -depth $depth $options" ;;
    3) options="-colors 256 -type palette $options" ;;
    4) of=alpha.png options="-colorspace gray -depth $depth $options" ;;
    6) of=alpha.png options="-depth $depth $options" ;;
    *) options="-depth $depth $options" ;;
    esac
    # shellcheck disable=SC2086
    convert $of $options kind.png
    [ "$(od -An -t u1 -j 24 -N 2 kind.png | xargs)" = "$kind" ] || fail "ImageMagick made no PNG of $kind"
    expect_same kind.png kind.png
done
for ending in bmp tga gif ppm pam pcx sgi jp2; do
    ffmpeg -nostdin -v error -y -i s.png "lossless.$ending"
    ffmpeg -nostdin -v error -y -i "lossless.$ending" -frames:v 1 lossless.png
    expect_same "lossless.$ending" lossless.png
done
convert s.png -compress none lossless.psd
expect_same lossless.psd s.png
convert deep.png -compress none deep.psd
expect_same deep.psd deep.png

# OpenEXR: half and float, in rows and in tiles, against what FFmpeg reads.
expect_same_floats() {
    cmp <(tail -c $((52 * 38 * 12)) "$(level "$1")") <(tail -c $((52 * 38 * 12)) exr.pfm) ||
        fail "$1 of $format is read wrong"
}
for format in half float; do
    ffmpeg -nostdin -v error -y -i deep.png -pix_fmt gbrpf32le -format $format exr.exr
    ffmpeg -nostdin -v error -y -i exr.exr -vf "$(pfm_turn)" -pix_fmt gbrpf32le exr.pfm
    expect_same_floats exr.exr
    if command -v exrmaketiled >/dev/null; then
        exrmaketiled exr.exr tiled.exr
        expect_same_floats tiled.exr
    fi
done

# Lossy ones: near what went in. AVIF and JPEG XL where this FFmpeg can write them.
make soft.png "gradients=s=52x38:seed=1:n=3:c0=red:c1=lime:c2=navy:x0=0:y0=0:x1=52:y1=38:r=1:d=1,format=rgb24,gblur=sigma=8" -frames:v 1
for ending in jpg webp avif jxl; do
    ffmpeg -nostdin -v error -y -i soft.png -frames:v 1 "soft.$ending" 2>/dev/null || continue
    expect_same "soft.$ending" soft.png 30
    printf '%s was read\n' "$ending"
done
# Of a file that is whole nobody says that it is damaged for certain.
echo text >text.png
expect_status 1 "text.png: no picture in it .* of a kind that this FFmpeg does not read" "$weir" mips text.png nothing
! grep "damaged part" stderr.txt || fail "a text is a damaged picture"
convert soft.png -colorspace CMYK -quality 98 cmyk.jpg
expect_same cmyk.jpg soft.png 30

# What a camera notes in EXIF, mirrored ones too; ffmpeg turns JPEG upright itself.
# The marker APP1: one entry of an IFD, the tag 0x112, in little endian.
ffmpeg -nostdin -v error -y -i s.png -pix_fmt yuvj444p -q:v 1 plain.jpg
for orientation in 1 2 3 4 5 6 7 8; do
    {
        head -c 2 plain.jpg
        printf '\377\341\000\042Exif\000\000II*\000\010\000\000\000\001\000\022\001\003\000\001\000\000\000'"\\00$orientation"'\000\000\000\000\000\000\000'
        tail -c +3 plain.jpg
    } >exif.jpg
    convert exif.jpg -auto-orient exif.png
    expect_same exif.jpg exif.png 3
    "$weir" transcode exif.jpg exif.mov --quiet
    expect_psnr exif.mov exif.png 32
done
echo passed
