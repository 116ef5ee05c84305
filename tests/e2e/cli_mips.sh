#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir mips: sizes, files and values of every level, judged by ffprobe, FFmpeg's decoders and the reference.
check=$3
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# picture FILE SIZE [OUTPUT OPTIONS...]: noise over a picture, of any size.
picture() {
    local file=$1 size=$2
    shift 2
    make "$file" "testsrc2=s=320x240:r=1:d=1,format=gbrp16,noise=alls=20:all_seed=7,crop=${size/x/:}:exact=1" \
        -frames:v 1 "$@"
}

# same FILE FILE PIXEL_FORMAT [FILTER]: the same texels, as FFmpeg decodes them; FILTER is applied to the first.
same() {
    local sums
    sums=$(ffmpeg -nostdin -v error -i "$1" -i "$2" -map 0:v -map 1:v -filter:v:0 "${4:-null}" -pix_fmt "$3" -f framemd5 - |
        sed -n 's/^[01],.* //p')
    [[ $sums =~ ^([0-9a-f]{32})$'\n'([0-9a-f]{32})$ && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]] ||
        fail "$1 and $2 differ as $3: $sums"
}

# expect_texels FILE PIXEL_FORMAT TYPE VALUES...: all of them, TYPE as od has it.
expect_texels() {
    local file=$1 format=$2 type=$3 got
    shift 3
    got=$(ffmpeg -nostdin -v error -i "$file" -f rawvideo -pix_fmt "$format" - | od -An -v -t "$type" | xargs)
    [ "$got" = "$*" ] || fail "$file holds $got and should hold $*"
}

# mips INPUT FOLDER OPTIONS...
mips() {
    "$weir" mips "$@" --validation >stdout.txt 2>stderr.txt || fail "weir mips $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir mips $* says $(cat stderr.txt)"
}

# expect_kind FILE PIXEL_FORMAT: as FFmpeg has it. That the sizes of all levels are right, and that there are no more, the
# check says.
expect_kind() { [ "$(field "$1" pix_fmt)" = "$2" ] || fail "$1 is $(field "$1" pix_fmt) and should be $2"; }

# The method whose kernels are the smallest, where the kernels are not what is tested. It makes each level of stored texels.
few=(--method per_level)

# Sizes, and one of them with the method that does not.
for size in 1x1 7x1 1x8 64x64 97x61 130x33; do
    picture size_$size.png $size -pix_fmt rgb24
    mips size_$size.png sizes "${few[@]}" --exact-srgb
    expect_kind sizes/size_${size}_level00.png rgb24
    expect_kind sizes/size_${size}_levels.png rgb24
    same size_$size.png sizes/size_${size}_level00.png rgb24
    "$check" sizes/size_$size rgba8_srgb mean quantised exact
done
mips size_97x61.png single --method single
"$check" single/size_97x61 rgba8_srgb mean continuous

# Formats. 16 bits with alpha into each: data stays data, and sRGB formats get codes.
picture deep.png 45x27 -vf "format=rgba64,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='65535*X/W'" -pix_fmt rgba64be
formats=$({ "$weir" mips deep.png out --format none 2>&1 || true; } | sed -n 's/.*; known: //p' | tr -d ,)
[ "$(wc -w <<<"$formats")" -ge 19 ] || fail "an unknown format is answered with $formats"
for format in $formats; do
    case $format in *srgb) values=srgb ;; *) values=data ;; esac
    if [[ $format == r?(g)8_srgb ]] &&
        ! "$weir" mips deep.png lacking --format "$format" --values srgb 2>stderr.txt >stdout.txt; then
        # Few devices sample these. The message says so, and nothing is written.
        grep -q "$format: this device cannot" stderr.txt || fail "$format: $(cat stderr.txt)"
        expect_no lacking
        continue
    fi
    mips deep.png formats_$format --format "$format" --values $values "${few[@]}"
    "$check" formats_$format/deep "$format" mean quantised
done
while read -r file format; do
    expect_kind formats_$file $format
done <<'KINDS'
rgba16_unorm/deep_level05.png rgba64be
r16_unorm/deep_level01.png gray16be
rg8_unorm/deep_level01.png rgb24
rgba8_unorm/deep_level01.png rgba
rgba16_sfloat/deep_level01.pfm gbrpf32le
rgba16_sfloat/deep_level05_alpha.pfm grayf32le
r32_sfloat/deep_level01.pfm grayf32le
KINDS
same deep.png formats_rgba16_unorm/deep_level00.png rgba64le

# Reductions.
for reduction in mean alpha_mean min max min_max luma_mean; do
    case $reduction in min_max) format=rg16_unorm ;; *) format=rgba16_unorm ;; esac
    mips deep.png reductions_$reduction --values data --reduction $reduction "${few[@]}"
    "$check" reductions_$reduction/deep $format $reduction quantised
done

# Colour that was painted under alpha 0 stays in every level, by every way that levels are made.
make painted.png "color=s=48x40:r=1:d=1:c=0xfaebbe,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(hypot(X-30,Y-20),9)'" \
    -frames:v 1 -pix_fmt rgba
for method in single per_level; do
    mips painted.png painted_$method --reduction alpha_mean --method $method --exact-srgb
    for level in 01 02 03 04 05; do
        ffmpeg -nostdin -v error -i painted_$method/painted_level$level.png -f rawvideo -pix_fmt rgb24 - | od -An -v -t u1 -w3 |
            awk '{ if (($1 - 250) ^ 2 > 1 || ($2 - 235) ^ 2 > 1 || ($3 - 190) ^ 2 > 1) exit 1 }' ||
            fail "level $level of $method has other colours than the one of the picture"
    done
done

# What the numbers mean: one texel of black and one of white, in each kind of picture and format.
half() { head -c "$1" /dev/zero; head -c "$1" /dev/zero | tr '\0' '\377'; }
half 3 | ffmpeg -nostdin -v error -y -f rawvideo -s 2x1 -pix_fmt rgb24 -i pipe: bw.png 2>/dev/null ||
    fail "ffmpeg did not make bw.png"
half 6 | ffmpeg -v error -y -f rawvideo -s 2x1 -pix_fmt rgb48le -i pipe: bw16.png </dev/stdin
mips bw.png bw "${few[@]}"
expect_texels bw/bw_level01.png rgb24 u1 188 188 188
mips bw.png bw --format rgba8_unorm "${few[@]}"
case $(ffmpeg -nostdin -v error -i bw/bw_level01.png -f rawvideo -pix_fmt gray - | od -An -t u1 | xargs) in
    127 | 128) ;;
    *) fail "the mean of data is not half" ;;
esac
mips bw16.png bw "${few[@]}"
expect_texels bw/bw16_level00.png rgb48le u2 0 0 0 65535 65535 65535
# sRGB of 0.5 is 0.735357 (IEC 61966-2-1), 48191.6 of 65535; a level of 16 bits has 0.5 or the step below it.
read -r value _ < <(ffmpeg -nostdin -v error -i bw/bw16_level01.png -f rawvideo -pix_fmt rgb48le - | od -An -t u2)
[ "$value" -ge 48191 ] && [ "$value" -le 48193 ] || fail "half of the light is $value in 16 bits, not 48192"
mips bw.png bw --format rgba16_sfloat "${few[@]}"
expect_texels bw/bw_level01.pfm gbrpf32le f4 0.5 0.5 0.5
mips bw16.png bw --format r32_sfloat --values data "${few[@]}"
expect_texels bw/bw16_level01.pfm grayf32le f4 0.5

# Floats: OpenEXR is linear light. The files are read again and give the same files.
picture light.exr 45x27 -pix_fmt gbrpf32le
mips light.exr floats "${few[@]}"
expect_kind floats/light_level05.pfm gbrpf32le
# FFmpeg 5.1 takes the first row of a PFM file, which is the bottom one, for the top one.
same floats/light_level00.pfm light.exr gbrpf32le "$(pfm_turn)"
"$check" floats/light rgba32_sfloat mean quantised
cp floats/light_level00.pfm light.pfm
mips light.pfm again "${few[@]}"
for file in floats/light_*; do
    cmp "$file" "again/${file#*/}" || fail "$file changes when it is read again"
done

# Pictures of other kinds, of which cli_pictures.sh has more: what FFmpeg decodes is what level 0 holds.
first=(--levels 1 "${few[@]}")
picture rgb.png 45x27 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i rgb.png -pix_fmt pal8 pal8.png -pix_fmt yuvj444p -q:v 1 kind.jpg
mips pal8.png kinds "${first[@]}"
same pal8.png kinds/pal8_level00.png rgba
mips kind.jpg kinds "${first[@]}"
expect_psnr kinds/kind_level00.png kind.jpg 50
ffmpeg -nostdin -v error -y -i rgb.png -c:v png upright.mov
for angle in 90 180 270; do
    note_turn upright.mov $angle turned$angle.mov
    mips turned$angle.mov turned "${first[@]}"
    same turned$angle.mov turned/turned${angle}_level00.png rgb24
done

# The sheet: level 0 at the left, the others below each other at the right of it.
same single/size_97x61_levels.png size_97x61.png rgb24 crop=97:61:4:4
same single/size_97x61_levels.png single/size_97x61_level01.png rgb24 crop=48:30:105:4
same single/size_97x61_levels.png single/size_97x61_level02.png rgb24 crop=24:15:105:38
[ "$(field single/size_97x61_levels.png width,height)" = 157,85 ] || fail "the sheet has another size"

# Part of a chain, a name with dots, a folder that is there; lines on standard output, and JSON.
cp rgb.png a.b.png
mips a.b.png part --levels 2 --json part.json
[ "$(cd part && echo *)" = "a.b_level00.png a.b_level01.png a.b_levels.png" ] || fail "part holds $(ls part)"
grep -q "45x27 .*a.b_level00.png" stdout.txt || fail "no line on level 0: $(cat stdout.txt)"
grep -q "2 levels of rgba8_srgb, mean by [a-z_]*, 1 dispatch" stdout.txt || fail "$(cat stdout.txt)"
grep -q '"file": "a.b_level01.png"' part.json || fail "part.json is $(cat part.json)"
"$weir" mips a.b.png part --levels 1 --json - >one.json 2>stderr.txt
grep -q "1 level of rgba8_srgb, .*0 dispatches" stderr.txt || fail "one level: $(cat stderr.txt)"
expect_json one.json

# A sheet shows no level above 4096 texels a side.
make long.png color=red:s=4100x3:r=1:d=1 -frames:v 1 -pix_fmt rgb24
mips long.png long "${few[@]}"
grep -q "from level 1 on" stdout.txt || fail "$(cat stdout.txt)"
[ "$(field long/long_levels.png width)" = $((4 + 2050 + 4 + 1025 + 4)) ] || fail "the sheet has another size"
expect_clean
echo passed
