#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: DDS files of texels by other programs, a file's own levels, arrays and cube maps, texels as output.
# bash cli_texture_images.sh WEIR FOLDER NPM, where NPM is the folder that ./dev setup installs packages in.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
npm=$3
fast=(--effort fast)

# words NUMBER...: 4 bytes each.
words() {
    local word
    for word in "$@"; do
        # shellcheck disable=SC2059
        printf "$(printf '\\x%02x' $((word & 255)) $((word >> 8 & 255)) $((word >> 16 & 255)) $((word >> 24 & 255)))"
    done
}

# dds SIDE LEVELS CAPS2 DEPTH FLAGS FOURCC BITS R G B A [DXGI DIMENSION MISC LAYERS]: the header of a DDS file.
dds() {
    printf 'DDS '
    words 124 0x1007 "$1" "$1" 0 "$4" "$2" 0 0 0 0 0 0 0 0 0 0 0 32 "${@:5:7}" 0x1000 "$3" 0 0 0
    [ $# -lt 12 ] || words "${@:12:4}" 0
}
bgra=(0x41 0 32 0xff0000 0xff00 0xff 0xff000000)
dx10=(4 0x30315844 0 0 0 0 0)

# repeat COUNT BYTES: texels of one colour, as octal numbers.
repeat() { for ((n = 0; n < $1; n++)); do printf "$2"; done; }

# Texels in the order that masks or DXGI's number say, floats as floats.
{ dds 4 1 0 0 "${bgra[@]}"; repeat 16 '\003\002\001\377'; } >bgra.dds
{ dds 4 1 0 0 "${dx10[@]}" 28 3 0 1; repeat 16 '\001\002\003\377'; } >rgba.dds
{ dds 4 1 0 0 "${dx10[@]}" 10 3 0 1; repeat 16 '\000\074\000\070\000\000\000\074'; } >half.dds
{ dds 4 1 0 0 0x20001 0 16 0xff 0 0 0xff00; repeat 16 '\007\200'; } >grey.dds
for name in bgra rgba grey; do
    "$weir" mips $name.dds levels_$name --values data --levels 1 >/dev/null || fail "weir mips $name.dds"
    cp levels_$name/${name}_level00.png $name.png
done
texel_of bgra.png 1 2 3 255 0
texel_of rgba.png 1 2 3 255 0
texel_of grey.png 7 7 7 128 0
expect_texels
"$weir" mips half.dds levels_half --values data --levels 1 >/dev/null || fail "weir mips half.dds"
[ "$(tail -c 12 levels_half/half_level00.pfm | od -An -t f4 | xargs)" = "1 0.5 0" ] || fail "halves are read as other values"

# Levels of a file, each of its own colour, are kept; a number, full and --mips make them of the first.
{ dds 4 3 0 0 "${bgra[@]}"; repeat 16 '\0\0\377\377'; repeat 4 '\0\377\0\377'; repeat 1 '\377\0\0\377'; } >own.dds
for kind in ktx2 dds; do
    for codec in bc1 rgba8; do
        texture own.dds kept.$kind --codec $codec
        says "^kept.$kind: 4x4, $codec.*, 3 mip levels"
        for level in 0 1 2; do
            texture --decode kept.$kind kept_${kind}_${codec}_$level.png --mip $level
        done
        texel_of kept_${kind}_${codec}_0.png 255 0 0 255 0
        texel_of kept_${kind}_${codec}_1.png 0 255 0 255 0
        texel_of kept_${kind}_${codec}_2.png 0 0 255 255 0
    done
done
for options in "--levels full" --mips "--levels 2"; do
    # shellcheck disable=SC2086
    texture own.dds made.ktx2 --codec rgba8 $options
    texture --decode made.ktx2 "made${options// /}.png" --mip 1
    texel_of "made${options// /}.png" 255 0 0 255 0
done
says "of 0 .. 1, "
expect_texels
refuse 1 "error: --levels 4: own.dds is 4x4 and has 3 levels" own.dds out.dds --levels 4
refuse 2 '"many" is not 1 .. 21, own or full' own.dds out.dds --levels many
refuse 2 "makes all levels; leave out one of them" own.dds out.dds --levels 2 --mips
texture own.dds blocks.ktx2 "${fast[@]}"
refuse 1 "error: --levels: blocks.ktx2 is a texture already" blocks.ktx2 out.dds --levels 2

# A cube map, an array and their levels are all kept; a volume, and half a cube map, are refused by their names.
faces='\0\0\377\377 \0\377\0\377 \377\0\0\377 \0\377\377\377 \377\377\0\377 \377\0\377\377'
{ dds 4 1 0xfe00 0 "${bgra[@]}"; for face in $faces; do repeat 16 "$face"; done; } >cube.dds
{ dds 4 1 0 0 "${dx10[@]}" 87 3 0 6; for face in $faces; do repeat 16 "$face"; done; } >array.dds
{ dds 4 1 0x200000 6 "${bgra[@]}"; for face in $faces; do repeat 16 "$face"; done; } >volume.dds
{ dds 4 1 0x600 0 "${bgra[@]}"; repeat 16 '\0\0\377\377'; } >half_cube.dds
colours=("255 0 0" "0 255 0" "0 0 255" "255 255 0" "0 255 255" "255 0 255")
for name in cube array; do
    texture $name.dds $name.ktx2 --codec bc7 --mips "${fast[@]}"
    texture $name.ktx2 ${name}_again.dds
    texture ${name}_again.dds ${name}_again.ktx2 --zstd
    texture ${name}_again.ktx2 ${name}_back.ktx2
    cmp $name.ktx2 ${name}_back.ktx2 || fail "$name.ktx2 by DDS and Zstandard is another file"
    for slice in 0 1 2 3 4 5; do
        texture --decode ${name}_again.dds ${name}_$slice.png --slice $slice --mip 1
        # shellcheck disable=SC2086
        texel_of ${name}_$slice.png ${colours[slice]} 255 0
    done
    refuse 1 "error: --slice 6: $name.ktx2 has 6 images" --decode $name.ktx2 out.png --slice 6
    for command in "mips $name.ktx2 out" "palette $name.ktx2 out.png" "transcode $name.ktx2 out.mov"; do
        # shellcheck disable=SC2086
        expect_status 1 "error: $name.ktx2: it is .* of 6 images, not a picture; weir texture --decode --slice N" "$weir" $command
    done
    refuse 1 "write a .ktx2 or .dds" $name.dds out.ktx
    refuse 1 "write a .ktx2 or .dds" $name.ktx2 out.ktx
done
expect_texels
for command in "texture volume.dds out.ktx2" "mips volume.dds out" "info volume.dds"; do
    # shellcheck disable=SC2086
    expect_status 1 "error: volume.dds: it is a volume (a 3D texture) of 6 slices" "$weir" $command
done
refuse 1 "error: half_cube.dds: it is a cube map without all of its six faces" half_cube.dds out.ktx2
[ "$("$weir" info cube.ktx2 array.ktx2 | sed 's/[0-9]* bytes/N bytes/')" = "cube.ktx2: ktx2, 4x4, cube map, bc7_unorm, 3 mip levels, N bytes
array.ktx2: ktx2, 4x4, array of 6 layers, bc7_unorm, 3 mip levels, N bytes" ] || fail "weir info says another thing"

# The same of six pictures, in order or with the names of faces, and of a folder.
mkdir sky
names=(right left top bottom front back)
for slice in 0 1 2 3 4 5; do
    texture --decode cube.dds face_$slice.png --slice $slice
    cp face_$slice.png sky/${names[slice]}.png
done
texture face_?.png joined.ktx2 --cube --codec bc7 --mips "${fast[@]}"
cmp joined.ktx2 cube.ktx2 || fail "six pictures become another cube map"
becomes cube.ktx2 "a folder of faces" sky joined.ktx2 --cube --codec bc7 --mips "${fast[@]}"
becomes array.ktx2 "a sequence" face_%d.png joined.ktx2 --array --codec bc7 --mips "${fast[@]}"
texture face_?.png sky/*.png several.dds --cube --array "${fast[@]}"
says "^several.dds: 4x4, array of 2 cube maps, bc1 "
# Each six are put into the order of faces by their names; layers of an array stay in theirs.
texture face_?.png plain.ktx2 --array --codec rgba8
texture sky sky.ktx2 --array --codec rgba8
! cmp -s plain.ktx2 sky.ktx2 || fail "layers become faces"
texture face_?.png face_?.png twice.ktx2 --cube --array --codec rgba8
texture sky/*.png sky/*.png skies.ktx2 --cube --array --codec rgba8
cmp skies.ktx2 twice.ktx2 || fail "faces of a second cube map are in another order"
make oblong.png color=red:s=8x4 -frames:v 1 -pix_fmt rgb24
refuse 1 "error: --cube: oblong.png is 8x4, and the faces of a cube map are squares" oblong.png oblong.png oblong.png oblong.png oblong.png \
    oblong.png out.ktx2 --cube "${fast[@]}"
refuse 1 "error: --cube: 2 pictures are given, and a cube map has six" face_0.png face_1.png out.ktx2 --cube "${fast[@]}"
make other.png testsrc2=s=8x8:r=1:d=1 -frames:v 1
refuse 1 "error: other.png is 8x8, and the first image is 4x4; all must have one size" face_0.png other.png out.ktx2 --array "${fast[@]}"
refuse 2 "it is not written to ktx files" face_0.png face_1.png out.ktx --array
expect_no out out.png out.mov out.ktx out.ktx2 out.dds
expect_clean

# Texels as output: the same picture, in FFmpeg too where it knows the order.
make picture.png "testsrc2=s=61x33:r=1:d=1,format=rgba" -frames:v 1
for kind in dds ktx2; do
    texture picture.png texels.$kind --codec rgba8
    texture --decode texels.$kind texels_$kind.png
    raw picture.png texels_$kind.png
    cmp picture.png.rgba texels_$kind.png.rgba || fail "texels in $kind are another picture"
done
[ "$(decibels <<<"picture.png texels.dds")" = inf ] || fail "FFmpeg reads other texels in a DDS file"
texture picture.png marked.ktx2 --codec rgba8 --srgb
says "rgba8_srgb"
texture marked.ktx2 encoded.ktx2 --codec bc7 "${fast[@]}"
says "bc7_srgb" # as the file says
texture half.dds half.ktx2 --codec rgba16f
texture --decode half.ktx2 half.pfm
[ "$(tail -c 12 half.pfm | od -An -t f4 | xargs)" = "1 0.5 0" ] || fail "halves become other values"

command -v node >/dev/null && [ -e "$npm/node_modules/ktx-parse" ] || skip "the rest: no node or ktx-parse here"
node "$npm/check_ktx2.mjs" cube.ktx2 array.ktx2 marked.ktx2 half.ktx2 >judged.txt 2>stderr.txt || fail "$(cat stderr.txt)"
[ "$(wc -l <judged.txt)" = 4 ] || fail "$(cat judged.txt)"
