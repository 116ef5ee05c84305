#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture of pictures of 16 bits: EAC keeps what 11 bits hold of them.
# bash cli_texture_depth.sh WEIR FOLDER LESSER DIFFERENCE
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg
lesser=$3 difference=$4
width=252 height=60 # no powers of two: cli_texture.sh has compiled these kernels

# Blue, which signed formats decode to the middle, does not count.
raw() {
    ffmpeg -nostdin -v error -y -i "$1" -vf format=gbrp16le,lutrgb=b=0 -f rawvideo -pix_fmt rgb48le "$1.raw" || fail "$1 is no picture"
}

# noise PICTURE DECODED: how far they are apart [dB].
noise() {
    raw "$1"
    raw "$2"
    local found
    found=$("$difference" "$1.raw" "$2.raw" $width $height 2 0)
    printf '%s\n' "${found#* }"
}

at_least() {
    awk -v v="$1" -v b="$2" 'BEGIN { exit !(v >= b) }'
}

# A slope of a code of 8 bits each eight texels, which a block holds to a fraction of it.
make red.png "nullsrc=s=${width}x$height:r=1:d=1,format=gray16le,geq=lum='20000+X*32+Y*16',format=rgb48be" -frames:v 1
make two.png "nullsrc=s=${width}x$height:r=1:d=1,format=gbrp16le,geq=r='20000+X*32+Y*16':g='50000-X*64':b=0,format=rgb48be" \
    -frames:v 1
for codec in eac_r11 eac_r11_snorm eac_rg11 eac_rg11_snorm; do
    picture=$([[ $codec = eac_r11* ]] && echo red || echo two).png
    "$weir" texture $picture out.ktx2 --codec $codec --effort fast --validation >/dev/null
    "$weir" texture --decode out.ktx2 $codec.png >/dev/null
    value=$(noise $picture $codec.png)
    printf '%s: %s dB\n' $codec "$value"
    at_least "$value" 70 || fail "$codec has $value dB, and rounding to 8 bits 59"
done

# Levels are means of 16 bits too.
"$weir" texture red.png out.ktx2 --codec eac_r11 --effort fast --mips >/dev/null
"$weir" texture --decode out.ktx2 level.png --mip 1 >/dev/null
width=126 height=30
ffmpeg -nostdin -v error -y -i red.png -vf format=gray16le,scale=126:30:flags=area+accurate_rnd,format=rgb48be half.png
value=$(noise half.png level.png)
at_least "$value" 66 || fail "level 1 has $value dB"

# Codes of 8 bits are the same in 16, and on a device that has no images of 16 bits.
codes=('trunc(128+100*sin(X/9)*cos(Y/7))' 'mod(X+2*Y\,256)')
for wide in "gbrp 1 eight rgb24" "gbrp16le 257 sixteen rgb48be"; do
    read -r format factor name stored <<<"$wide"
    make $name.png "color=s=67x45:r=1:d=1,format=$format,geq=r='$factor*${codes[0]}':g='$factor*${codes[1]}':b=0" \
        -frames:v 1 -pix_fmt $stored
done
"$weir" texture eight.png eight.ktx2 --codec eac_rg11 --effort fast >/dev/null
"$weir" texture sixteen.png sixteen.ktx2 --codec eac_rg11 --effort fast >/dev/null
WEIR_LESSER=rgba16_unorm LD_PRELOAD=$lesser "$weir" texture sixteen.png lesser.ktx2 --codec eac_rg11 --effort fast >/dev/null
cmp eight.ktx2 sixteen.ktx2 || fail "codes of 8 bits are others in 16"
cmp eight.ktx2 lesser.ktx2 || fail "codes of 8 bits are others without images of 16 bits"
