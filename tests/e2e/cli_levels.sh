#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Levels of weir mips and weir texture by other filters, of normals, with a coverage, and changes to the picture before.
# bash cli_levels.sh WEIR FOLDER CHECK, where CHECK is cli_levels_check.c.
check=$3
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# mips INPUT FOLDER OPTIONS...
mips() {
    "$weir" mips "$@" >stdout.txt 2>stderr.txt || fail "weir mips $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir mips $* says $(cat stderr.txt)"
}
# levels_of TEXTURE PREFIX NUMBER: its levels 0 .. NUMBER as the files of weir mips.
levels_of() {
    for level in $(seq 0 "$3"); do
        "$weir" texture --decode "$1" "$2_level0$level.png" --mip "$level" >decoded.txt || fail "$1 has no level $level"
    done
}
# texels_in FILE: as RGBA of 8 bits, a line each.
texels_in() { ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgba - | od -An -v -t u1 -w4 | awk '{ print $1, $2, $3, $4 }'; }

# Filters and edges at odd and even sizes, without and with weights of alpha. Data, so that nothing is rounded.
for size in 45x27 1x30; do
    make deep_$size.png "testsrc2=s=320x240:r=1:d=1,format=gbrap16,noise=alls=20:all_seed=7,crop=${size/x/:}:exact=1,format=rgba64,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='16384+49151*mod(X*3+Y*5,7)/6'" \
        -frames:v 1 -pix_fmt rgba64be
    for edge in clamp wrap mirror; do
        for filter in box kaiser mitchell; do
            [[ $edge = clamp || $filter != box ]] || continue
            options=(--filter $filter --edge $edge)
            [ $filter != box ] || options=(--filter box)
            mips deep_$size.png data --values data --format rgba32_sfloat "${options[@]}"
            "$check" filter data/deep_$size $filter $edge mean data 4e-6
        done
        [ $size != 1x30 ] || continue
        mips deep_$size.png data --values data --format rgba32_sfloat --filter mitchell --edge $edge --alpha straight
        "$check" filter data/deep_$size mitchell $edge alpha_mean data 1e-5
    done
done
# Colours in light: codes to the nearest one.
make colors.png "testsrc2=s=77x51:r=1:d=1" -frames:v 1 -pix_fmt rgb24
for filter in kaiser mitchell; do
    mips colors.png colors --filter $filter --edge mirror --json report.json
    says "mean by processor, $filter filter"
    grep -q "\"filter\": *\"$filter\"" report.json || fail "no word of the filter in $(cat report.json)"
    "$check" filter colors/colors $filter mirror mean srgb 0.00198
done

# Colour under alpha 0 stays, whatever a filter's negative weights leave of alpha.
make painted.png "color=s=48x40:r=1:d=1:c=0xfaebbe,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(hypot(X-30,Y-20),9)'" \
    -frames:v 1 -pix_fmt rgba
for filter in kaiser mitchell; do
    mips painted.png painted --alpha straight --filter $filter
    for level in 01 02 03 04 05; do
        texels_in painted/painted_level$level.png |
            awk '{ if (($1 - 250) ^ 2 > 1 || ($2 - 235) ^ 2 > 1 || ($3 - 190) ^ 2 > 1) exit 1 }' ||
            fail "level $level by $filter has other colours than the picture"
    done
done

# Normals: of a rough surface, whose plain mean is 0.86 long at level 3.
make rough.png "color=s=75x61:r=1:d=1,format=gbrp,geq=r='127.5+95*sin(X*1.9+Y/3)':g='127.5+80*sin(Y*2.3)*cos(X*1.3)':b='127.5+127.5*sqrt(max(0,1-pow(95/127.5*sin(X*1.9+Y/3),2)-pow(80/127.5*sin(Y*2.3)*cos(X*1.3),2)))'" \
    -frames:v 1 -pix_fmt rgb24
mips rough.png rough --normals --validation
says "rgba8_unorm, mean by processor, box filter.*data"
"$check" normals rough/rough 0.0045
mips rough.png deep --normals --format rgba32_sfloat
"$check" normals deep/rough 1e-5
for codec in bc7 bc5 bc5_snorm; do
    texture rough.png rough.ktx2 --codec $codec --effort fast --mips --normals
    levels_of rough.ktx2 $codec 3
    for level in 1 2 3; do
        filter=format=gbrp
        [ $codec = bc7 ] || filter=format=gbrp,lutrgb=b=0
        echo "${codec}_level0$level.png rough/rough_level0$level.png $filter"
    done | decibels >near.txt
    awk '$1 < 34 { exit 1 }' near.txt || fail "levels of $codec are not those of the normals: $(xargs <near.txt)"
done
# Two channels: the same vectors.
ffmpeg -nostdin -v error -y -i rough.png -vf lutrgb=b=0 flat.png
mips flat.png flat --normals
"$check" normals flat/flat 0.0045
! cmp -s flat.png flat/flat_level00.png || fail "Z is not rebuilt"

# Channels. The picture is 200 100 50 128.
make half.png "color=s=2x1:r=1:d=1,format=rgba,geq=r=200:g=100:b=50:a=128" -frames:v 1 -pix_fmt rgba
while read -r wanted options; do
    mips half.png channels --levels 1 $options
    [ "$(texels_in channels/half_level00.png | sed -n 1p)" = "${wanted//,/ }" ] ||
        fail "$options: $(texels_in channels/half_level00.png | xargs), not $wanted"
done <<'CASES'
200,155,50,128 --flip-green
50,100,200,128 --swizzle bgra
128,155,0,255 --swizzle ag --flip-green
0,255,100,200 --swizzle 01gr
CASES
texture half.png half.ktx2 --codec bc7 --effort live --swizzle bgra
decode half.ktx2 half_swizzled.png
near "$(texels_in half_swizzled.png | sed -n '1s/ .*//p')" 50 1 || fail "--swizzle of a texture: $(texels_in half_swizzled.png)"

# Alpha that is data: plain means, which are said.
make fringe.png "color=black:s=8x8:r=1:d=1,format=rgba,geq=r='255*mod(X,2)':g='255-255*mod(X,2)':b=0:a='255-247*mod(X,2)'" \
    -frames:v 1 -pix_fmt rgba
texture fringe.png fringe.ktx2 --codec bc7 --effort live --mips --alpha data
says "alpha is data"
decode fringe.ktx2 fringe0.png
levels_of fringe.ktx2 fringe 2
texel_of fringe_level02.png 128 128 0 132 3
mips fringe.png data --values data --format rgba8_unorm --alpha data
says "mean by .*alpha is data"
texel_of data/fringe_level02.png 128 128 0 132 1
mips fringe.png straight --values data --format rgba8_unorm --alpha straight --validation
says "alpha_mean by "
texel_of straight/fringe_level02.png 8 247 0 132 1
expect_texels

# Coverage: of soft leaves, and of a pattern whose texels are equal at every level.
make leaves.png "color=s=203x119:r=1:d=1:c=0x30a020,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*clip(3*(sin(X/1.7+Y/5)*sin(Y/1.9-X/7)-0.45)+0.5,0,1)'" \
    -frames:v 1 -pix_fmt rgba
make pattern.png "color=s=128x128:r=1:d=1:c=0x30a020,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(mod(X*5+Y*11,7),2)'" \
    -frames:v 1 -pix_fmt rgba
while read -r picture threshold codec; do
    mips $picture.png covered --alpha straight --alpha-coverage $threshold
    "$check" coverage covered/$picture $threshold 0.005
    [ -n "$codec" ] || continue
    texture $picture.png covered.ktx2 --codec $codec --effort fast --mips --srgb --alpha-coverage $threshold
    levels_of covered.ktx2 $codec-$picture 3
    "$check" coverage $codec-$picture $threshold 0.005
done <<'COVERED'
leaves 0.5 bc3
leaves 0.25
pattern 0.5 bc7
COVERED

# Bled: no level has the black under alpha 0.
make black.png "color=s=40x40:r=1:d=1,format=rgba,geq=r='250*lt(hypot(X-20,Y-20),9)':g='200*lt(hypot(X-20,Y-20),9)':b=0:a='255*lt(hypot(X-20,Y-20),9)'" \
    -frames:v 1 -pix_fmt rgba
mips black.png bled --bleed
[ "$(texels_in bled/black_level00.png | cut -d ' ' -f 1-3 | sort -u)" = "250 200 0" ] || fail "--bleed leaves black"
texture black.png bled.ktx2 --codec bc7 --effort live --bleed
decode bled.ktx2 bled.png
[[ "$(texels_in bled.png | sed -n 1p)" != "0 0 "* ]] || fail "--bleed of a texture leaves black"

# A painted leaf: beside its outline level 1 goes on in its colours and not in black, which costs BC3 three times the error.
make leaf.png "nullsrc=s=96x96:r=1:d=1,format=gbrap,geq=r='90+X/2':g='150+Y/2':b='50+X/4':a='255*lt(abs(Y-48-6*sin(X/15)),26*sin(PI*clip((X-4)/88,0,1))*(0.75+0.25*abs(sin(X/3))))'" \
    -frames:v 1 -pix_fmt rgba
mips leaf.png leaf --reduction alpha_mean --values data --format rgba8_unorm
make outlined.png "movie=leaf/leaf_level01.png,format=rgba,geq=r='r(X,Y)*gt(alpha(X,Y),0)':g='g(X,Y)*gt(alpha(X,Y),0)':b='b(X,Y)*gt(alpha(X,Y),0)':a='alpha(X,Y)'" \
    -frames:v 1 -pix_fmt rgba
texture leaf.png leaf.ktx2 --codec bc3 --mips
"$weir" texture --decode leaf.ktx2 painted_bc3.png --mip 1 >decoded.txt
texture outlined.png outlined.ktx2 --codec bc3
decode outlined.ktx2 outlined_bc3.png
# outline_error FILE: the mean squared error of what is seen in blocks that have a hidden texel too.
outline_error() {
    paste <(texels_in leaf/leaf_level01.png) <(texels_in "$1") | awk '{
        block = int((NR - 1) / 48 / 4) * 12 + int((NR - 1) % 48 / 4)
        hidden[block] += $4 == 0; seen[block] += $4 != 0
        for (c = 1; c <= 3; c++) sum[block] += $4 != 0 ? ($c - $(c + 4)) ^ 2 : 0
    } END { for (b in hidden) if (hidden[b]) { n += seen[b]; s += sum[b] } print s / n }'
}
painted=$(outline_error painted_bc3.png) naive=$(outline_error outlined_bc3.png)
awk -v p="$painted" -v n="$naive" 'BEGIN { exit !(p > 0 && 3 * p <= n) }' || fail "the outline has $painted, with black $naive"

# What does not go together.
while IFS='|' read -r words arguments; do
    expect_status 2 "$words" "$weir" $arguments
done <<'REFUSED'
they are for levels; add --mips|texture half.png x.ktx2 --filter kaiser
they are for levels; add --mips|texture half.png x.ktx2 --codec bc7 --alpha-coverage 0.5
they are for levels; add --mips|texture half.png x.ktx2 --codec bc7 --alpha-coverage 0.5 --levels 1
nothing behind an edge|texture half.png x.ktx2 --mips --edge wrap
nothing behind an edge|mips half.png x --filter box --edge mirror
bc4 has no green|texture half.png x.ktx2 --codec bc4 --flip-green
eac_r11 has no green|texture half.png x.ktx2 --codec eac_r11 --normals
they are for levels; raise|mips half.png x --filter kaiser --levels 1
leave out --srgb|texture half.png x.ktx2 --normals --srgb
vectors cannot be multiplied|texture half.png x.ktx2 --codec bc7 --normals --alpha multiply
needs a --codec with alpha|texture half.png x.ktx2 --mips --alpha-coverage 0.5
alpha straight or data|texture half.png x.ktx2 --codec bc7 --mips --alpha ignore --alpha-coverage 0.5
rgx is not one to four of|texture half.png x.ktx2 --swizzle rgx
it chooses the reduction|mips half.png x --alpha data --reduction max
leave out --method|mips half.png x --filter kaiser --method single
leave out --method|mips half.png x --normals --reduction max
vectors are data|mips half.png x --normals --values srgb
vectors are data|mips half.png x --normals --alpha straight
--slice: it is for --decode|texture half.png x.ktx2 --slice 1
--alpha data: bc1 has no alpha|texture half.png x.ktx2 --alpha data
--decode: it takes --mip, --slice|texture --decode half.png x.png --layer a
--strength: mean shift|palette half.png x.png --strength 0.5
REFUSED

# What says nothing of an input is named.
make grey.png "color=gray:s=8x8:r=1:d=1,format=rgb24" -frames:v 1
make grey.mp4 "color=gray:s=16x16:r=4:d=1"
texture grey.png grey.ktx2 --codec rgba8
texture grey.png blocks.ktx2 --effort fast
while IFS='|' read -r status words arguments; do
    expect_status "$status" "$words" "$weir" $arguments
done <<'UNUSED'
0|grey.png: --layer is for OpenEXR pictures|mips grey.png x --layer a
0|grey.png: --layer is for OpenEXR pictures|texture grey.png x.ktx2 --layer a
0|grey.png: --layer is for OpenEXR pictures|palette grey.png x.png --layer a
0|grey.mp4: --profile is for pictures|mips grey.mp4 x --profile ignore
0|grey.mp4: --profile is for pictures|palette grey.mp4 x.mov --profile ignore
0|grey.png has no alpha: --bleed and --alpha-coverage|mips grey.png x --bleed
0|grey.png has no alpha: --bleed and --alpha-coverage|texture grey.png x.ktx2 --codec bc7 --effort live --mips --alpha-coverage 0.5
1|--layer: grey.ktx2 is a texture|texture grey.ktx2 x.ktx2 --layer a
1|--profile: blocks.ktx2 is a texture already|texture blocks.ktx2 x.ktx2 --profile ignore
UNUSED
expect_status 1 "r8_unorm has no green" "$weir" mips half.png x --format r8_unorm --flip-green
expect_status 1 "r8_unorm has no alpha" "$weir" mips half.png x --format r8_unorm --alpha-coverage 0.5
