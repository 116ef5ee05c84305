#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture --alpha: what becomes of alpha in textures and in their levels.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

make checker.png "nullsrc=s=8x8:r=1:d=1,geq=lum='255*mod(X+Y,2)':cb=128:cr=128,format=gray" -frames:v 1
codecs=$(known codec)

# With bc7 at effort live, whose kernel a software device compiles soonest of those whose DDS files say what alpha is.
# both NAME PICTURE OPTIONS...: a KTX2 and a DDS file, which hold the same.
both() {
    texture "$2" "$1.ktx2" --codec bc7 --effort live "${@:3}"
    texture "$1.ktx2" "$1.dds"
}

# texel_of NAME LEVEL TEXEL DISTANCE: what the first texel of NAME.ktx2 is to be, for `expect_texels`.
texels=()
texel_of() {
    texture --decode "$1.ktx2" "$1_$2.png" --mip "$2"
    texels+=("$1_$2.png $3 $4")
}

# expect_texels: those since the last time.
expect_texels() {
    local file wanted distance got c
    raw "${texels[@]%% *}"
    for c in "${texels[@]}"; do
        read -r file wanted[0] wanted[1] wanted[2] wanted[3] distance <<<"$c"
        read -r -a got <<<"$(od -An -v -t u1 -N 4 "$file.rgba")"
        for c in 0 1 2 3; do
            near "${got[c]}" "${wanted[c]}" "$distance" || fail "$file is ${got[*]} and should be ${wanted[*]}"
        done
    done
    texels=()
}

# is_said NAME COUNT: how many of NAME.ktx2 and of NAME.dds say that colours are multiplied, and decoding tells it.
is_said() {
    local place kind said=0
    place=$(($(od -An -t u4 -j 48 -N 4 "$1.ktx2" | xargs) + 15))
    [ "$(od -An -t u1 -j $place -N 1 "$1.ktx2" | xargs)" = $(($2 > 0 ? 1 : 0)) ] || fail "$1.ktx2 has other flags"
    [ "$(od -An -t u4 -j 144 -N 4 "$1.dds" | xargs)" = $(($2 > 0 ? 2 : 0)) ] || fail "$1.dds has another alpha mode"
    for kind in ktx2 dds; do
        texture --decode "$1.$kind" decoded.png
        ! grep -q "colours multiplied by alpha" stdout.txt || said=$((said + 1))
    done
    [ $said = "$2" ] || fail "$said of two files of $1 say that colours are multiplied"
}

make half.png color=0xc86432@0.5:s=6x6:r=1:d=1,format=rgba,geq=r=200:g=100:b=50:a=128 -frames:v 1
both straight half.png
texture half.png named.ktx2 --codec bc7 --effort live --alpha straight
cmp straight.ktx2 named.ktx2 || fail "straight is not the default"
texel_of straight 0 "200 100 50 128" 2
is_said straight 0
both multiplied half.png --alpha multiply
texture half.png named.dds --codec bc7 --effort live --alpha multiply
cmp multiplied.dds named.dds || fail "a picture and a texture become other DDS files"
texel_of multiplied 0 "100 50 25 128" 2
is_said multiplied 2
both light half.png --alpha multiply --srgb
texel_of light 0 "147 72 35 128" 2 # codes of half of the light
is_said light 2
both ignored half.png --alpha ignore
texel_of ignored 0 "200 100 50 255" 2
is_said ignored 0
both unread half.png --alpha unread
texel_of unread 0 "200 100 50 255" 2
is_said unread 0
expect_texels
expect_status 2 "--alpha unread: it is for bc7, and does nothing for bc3; choose --alpha ignore" \
    "$weir" texture half.png out.ktx2 --codec bc3 --alpha unread

# Levels: a red that is nearly transparent beside an opaque green, in columns.
make fringe.png "color=black:s=8x8:r=1:d=1,format=rgba,geq=r='255*mod(X,2)':g='255-255*mod(X,2)':b=0:a='255-247*mod(X,2)'" \
    -frames:v 1
# A picture whose alpha is 1 has the same blocks either way, and one of a folder does not change the next's levels.
ffmpeg -nostdin -v error -y -i checker.png -pix_fmt rgba opaque.png
mkdir mixed
cp opaque.png mixed/a.png
cp fringe.png mixed/b.png
cp opaque.png mixed/c.png
for choice in straight multiply ignore; do
    texture mixed mixed_$choice --codec bc7 --effort live --mips --alpha $choice
    for name in a c; do
        texture mixed_$choice/$name.ktx2 opaque_$choice$name.dds
        cmp <(tail -c +149 opaque_straighta.dds) <(tail -c +149 opaque_$choice$name.dds) ||
            fail "--alpha $choice changes an opaque picture, or it depends on the one before"
    done
    cp mixed_$choice/b.ktx2 fringe_$choice.ktx2
    [ $choice = ignore ] || texture fringe.png fringe_$choice--srgb.ktx2 --codec bc7 --effort live --mips --srgb --alpha $choice
done
texture fringe.png fringe.ktx2 --codec bc7 --effort live --mips
cmp mixed_straight/b.ktx2 fringe.ktx2 || fail "the levels of a picture depend on the one before"
for level in 1 2 3; do
    texel_of fringe_straight $level "8 247 0 132" 3
    texel_of fringe_multiply $level "4 128 0 132" 3
    texel_of fringe_ignore $level "128 128 0 255" 3
    texel_of fringe_straight--srgb $level "49 252 0 132" 3
    texel_of fringe_multiply--srgb $level "34 188 0 132" 3
done
expect_texels

# Codecs without alpha: nothing to say of one that is ignored, and nothing to multiply by, which is seen before the device.
texture half.png ignored.ktx2 --alpha ignore --strict --effort fast
expect_status 0 "its alpha is left out: bc1 has none" "$weir" texture half.png warned.ktx2 --effort fast
cmp ignored.ktx2 warned.ktx2 || fail "bc1 has something of alpha"
for codec in $codecs; do
    case $codec in
        bc1a | bc3 | bc7 | etc2_rgba | etc2_rgb8a1)
            expect_status 1 "no.*device" "$weir" texture half.png out.ktx2 --codec "$codec" --alpha multiply --device 99 ;;
        *)
            expect_status 2 "--alpha multiply: $codec has no alpha; choose another --codec" \
                "$weir" texture half.png out.ktx2 --codec "$codec" --alpha multiply --device 99 ;;
    esac
done
expect_status 2 "ktx files cannot say that colours are multiplied; write a .ktx2 or .dds" \
    "$weir" texture half.png out.ktx --codec bc7 --alpha multiply
make light.exr color=white:s=8x8:r=1:d=1,format=gbrapf32le -frames:v 1
expect_status 1 "light.exr holds linear light" "$weir" texture light.exr out.ktx2 --codec bc7 --effort live --alpha multiply
expect_status 2 'unknown alpha "none"; known: straight, multiply, ignore, unread' \
    "$weir" texture half.png out.ktx2 --alpha none
expect_status 2 "it takes --mip and --max-memory, no other option" "$weir" texture --decode straight.ktx2 out.png --alpha ignore
expect_no out.ktx2 out.ktx

[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
