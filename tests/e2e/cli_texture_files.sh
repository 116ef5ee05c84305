#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: kinds of files, mip levels, decoding, folders, pictures that no image of the device holds. Mostly at effort
# fast: that efforts have their kernels, cli_texture.sh says.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# floats FILE COUNT: of a PFM file, whose last bytes are the top row's.
floats() { tail -c $((4 * $2)) "$1" | od -An -v -t f4 | xargs; }

# expect_float FILE VALUE DISTANCE: its last one, which a file of one texel has alone.
expect_float() { near "$(floats "$1" 1)" "$2" "$3" || fail "$1 is $(floats "$1" 1) and should be $2"; }

make picture.png testsrc2=s=257x129:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
# Where levels are made, all sides are powers of two: those are other variants of a kernel on a software device.
make even.png testsrc2=s=256x128:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make checker.png "nullsrc=s=8x8:r=1:d=1,geq=lum='255*mod(X+Y,2)':cb=128:cr=128,format=gray" -frames:v 1

# One texture in three kinds of files. That those with levels are the same, cli_texture_rewrap.sh says.
for kind in dds ktx ktx2; do
    texture picture.png one.$kind --codec bc3 --effort fast
    texture --decode one.$kind one_$kind.png
done
cmp one_dds.png one_ktx2.png || fail "DDS and KTX2 hold other textures"
cmp one_ktx.png one_ktx2.png || fail "KTX and KTX2 hold other textures"
texture even.png chain.ktx2 --codec bc3 --effort fast --mips --srgb --validation
says "^chain.ktx2: 256x128, bc3 at effort fast, bc3_srgb, 9 mip levels, "
texture --decode chain.ktx2 chain_ktx2.png
texture chain.ktx2 chain.dds
expect_pictures <<<"one_ktx2.png 257x129 rgba
chain_ktx2.png 256x128 rgba"
for found in $(decibels <<<"one.dds one_dds.png
chain.dds chain_ktx2.png"); do
    at_least "$found" 42 || fail "FFmpeg decodes $found dB of a DDS file"
done

# Levels: all of them, the first as it is alone, each what the picture becomes that weir mips makes of it.
texture even.png alone.dds --codec bc3 --srgb --effort fast
cmp <(blocks alone.dds) <(blocks chain.dds | head -c $((64 * 32 * 16))) || fail "--mips changes level 0"
"$weir" mips even.png levels >/dev/null
for level in 0 1 2 3 4 5 6 7 8; do
    width=$((256 >> level)) height=$((128 >> level))
    size=$((width > 0 ? width : 1))x$((height > 0 ? height : 1))
    texture --decode chain.ktx2 level$level.png --mip $level
    says "^level$level.png: $size, mip level $level of 0 .. 8, bc3_srgb"
    echo "level$level.png $size rgba"
done >sizes.txt
expect_pictures <sizes.txt
mkdir level_pictures
cp levels/even_level0?.png level_pictures
texture level_pictures level_textures --codec bc3 --srgb --effort fast --container dds
cmp <(blocks chain.dds) <(for file in level_textures/*; do blocks "$file"; done) || fail "levels are not what their pictures become"
refuse 1 "mip 9: the levels of chain.ktx2 are 0 .. 8" --decode chain.ktx2 out.png --mip 9

# Colours are averaged as light, numbers as numbers: half of white is 188, half of 255 is 128.
texture checker.png light.ktx2 --srgb --mips --effort fast
texture --decode light.ktx2 half_light.png --mip 3
texture checker.png number.ktx2 --mips "${soonest[@]}"
texture --decode number.ktx2 half_number.png --mip 3
texel_of half_light.png 188 188 188 255 4
texel_of half_number.png 128 128 128 255 1
expect_texels

# Signed values: 0 .. 1 of a picture stand for -1 .. 1, levels are means of these, and decoding turns them back.
ffmpeg -nostdin -v error -y -f lavfi -i nullsrc=s=16x4:r=1:d=1 -frames:v 1 -pix_fmt rgb24 \
    -vf "format=rgb24,geq=r='51*floor(X/4)+51':g='255*mod(X,2)':b=9" signed.png
while read -r codec kind steps channels; do
    texture signed.png $codec.$kind --codec $codec --mips --effort fast
    says "16x4, $codec at effort fast, $codec, 5 mip levels"
    texture --decode $codec.$kind $codec.pfm
    texture --decode $codec.$kind $codec.png
    texture --decode $codec.$kind last$codec.png --mip 4
    read -r -a values <<<"$(floats $codec.pfm $((16 * channels)))"
    for column in 0 4 8 12; do
        wanted=$(awk -v x=$((51 * column / 4 + 51)) 'BEGIN { print 2 * x / 255 - 1 }')
        near "${values[column * channels]}" "$wanted" "$(awk -v n="$steps" 'BEGIN { print 0.51 / n }')" ||
            fail "$codec: ${values[column * channels]} at column $column and should be $wanted"
    done
    if [ "$channels" = 3 ]; then
        near "${values[1]}" -1 0.001 && near "${values[4]}" 1 0.001 || fail "$codec: the green is ${values[1]} and ${values[4]}, not -1 and 1"
        texture --decode $codec.$kind small.pfm --mip 1
        read -r _ low _ <<<"$(floats small.pfm 3)"
        near "$low" 0 0.004 || fail "$codec: the mean of -1 and 1 is $low"
    fi
    raw last$codec.png $codec.png
    for pair in "last$codec 127.5 1.1" "$codec 51 1"; do
        read -r name wanted distance <<<"$pair"
        value=$(od -An -v -t u1 -N 1 $name.png.rgba | xargs)
        near "$value" "$wanted" "$distance" || fail "$name.png is $value and should be $wanted"
    done
done <<'CODECS'
bc4_snorm dds 127 1
bc5_snorm dds 127 3
eac_r11_snorm ktx2 1023 1
eac_rg11_snorm ktx2 1023 3
CODECS
[ "$(four_cc bc4_snorm.dds) $(four_cc bc5_snorm.dds)" = "BC4S BC5S" ] || fail "signed DDS files have other formats"

# Decoded pictures: the kinds of PNG, and PFM as a sampler answers.
through grey picture.png --codec bc4 --effort fast
texture picture.png pair.ktx2 --codec bc5 --effort fast
texture --decode pair.ktx2 pair.PNG
expect_pictures <<<"grey.png 257x129 gray16be
pair.PNG 257x129 rgb48be"
texture --decode grey.ktx2 grey.pfm
[ "$(head -c 15 grey.pfm | tr '\n' ' ')" = "Pf 257 129 -1.0" ] || fail "grey.pfm begins with $(head -c 15 grey.pfm)"
[ "$(stat -c %s grey.pfm)" = $((16 + 257 * 129 * 4)) ] || fail "grey.pfm has $(stat -c %s grey.pfm) bytes"
for name in light number; do
    texture --decode $name.ktx2 half_$name.pfm --mip 3
    expect_float half_$name.pfm 0.5 0.02
done
ffmpeg -nostdin -v error -y -i checker.png -vf "format=rgba,colorchannelmixer=aa=0.5" alpha.png
texture alpha.png alpha.ktx2 --codec bc3 --effort fast
refuse 0 "warning: alpha.pfm: a PFM file has no alpha" --decode alpha.ktx2 alpha.pfm

# What is no texture, or not one any more.
head -c 5000 chain.ktx2 >cut.ktx2
{ head -c 20 chain.ktx2; printf '\377\377\377\377'; tail -c +25 chain.ktx2; } >lies.ktx2
refuse 1 "cut.ktx2: it ends after 5000 bytes, before its level 0 does" --decode cut.ktx2 out.png
refuse 1 "lies.ktx2: its header says 4294967295x128 texels" --decode lies.ktx2 out.png
expect_no out.png

# A folder: every picture by itself, the same as alone.
mkdir pictures
make pictures/b3.png color=red:s=1x1:r=1:d=1,format=rgb24 -frames:v 1
cp even.png pictures/a.png
cp checker.png pictures/b2.png
cp alpha.png pictures/b10.png
echo text >pictures/notes.txt
texture pictures textures --codec bc3 --mips --srgb --effort fast
[ "$(ls textures | xargs)" = "a.ktx2 b10.ktx2 b2.ktx2 b3.ktx2" ] || fail "textures has $(ls textures | xargs)"
[ "$(sed 's/:.*//' stdout.txt | xargs)" = "textures/a.ktx2 textures/b2.ktx2 textures/b3.ktx2 textures/b10.ktx2 textures" ] ||
    fail "lines on $(sed 's/:.*//' stdout.txt | xargs)"
says "^textures: 4 of 4 pictures$"
make normals.png "nullsrc=s=16x16:r=1:d=1,format=gbrp,geq=r='128+40*sin(X)':g='128+40*cos(Y)':b=250" -frames:v 1
refuse 0 "warning: normals.png seems to be a normal map, and --srgb is for colours" normals.png normals.ktx2 --srgb --effort fast
for name in b3 b10; do # of another size, and with alpha
    becomes textures/$name.ktx2 "a picture of a folder" pictures/$name.png $name.ktx2 --codec bc3 --mips --srgb --effort fast
done
texture pictures/ textures/ "${soonest[@]}" --alpha ignore --container dds
[ "$(ls textures | wc -l)" = 8 ] || fail "textures has $(ls textures | xargs)"
expect_decodes textures/b10.dds
cp checker.png frame_7.png
cp picture.png frame_8.png
texture 'frame_%d.png' textures "${soonest[@]}" --container ktx
[ -s textures/frame_7.ktx ] && [ -s textures/frame_8.ktx ] || fail "no texture of a sequence"

# Of a folder, what fails is named, and the rest is done.
head -c 300 picture.png >pictures/broken.png
cp picture.png pictures/a.bmp
refuse 1 "broken.png" pictures some "${soonest[@]}" --strict
grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/b10.png has alpha, and bc4 has none" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/a.png: its output, some/a.ktx2, is also that of pictures/a.bmp; rename one of the two inputs" stderr.txt || fail "$(cat stderr.txt)"
says "^some: 3 of 6 pictures$"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir bad
cp pictures/broken.png bad
refuse 1 "bad/broken.png" bad none "${soonest[@]}"
refuse 1 "bad/broken.png" bad some "${soonest[@]}"
expect_status 1 "some/a.dds' after" limited 8 "$program" texture pictures some "${soonest[@]}" --container dds
grep -q "^some: 0 of 6 pictures$" stdout.txt || fail "a full disk does not end it: $(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
expect_no none

# Larger than an image may be: in parts, which are whole blocks; but not with all levels.
limit=$(most_texels)
make wide.png "nullsrc=s=$((limit + 2))x4:r=1:d=1,geq=r='X/7':g='Y*60+X':b='X*X/3',format=rgb24" -frames:v 1
make high.png "nullsrc=s=3x$((limit + 6)):r=1:d=1,geq=r='Y/7':g='X*60+Y':b='Y*Y/3',format=rgb24" -frames:v 1
ffmpeg -nostdin -v error -y -i wide.png -i high.png -lavfi "[0]split[a][b];[1]split[c][d];[a]crop=$limit:4:0:0[a];\
[b]crop=2:4:$limit:0[b];[c]crop=3:$limit:0:0[c];[d]crop=3:6:0:$limit[d]" \
    -map '[a]' wide_0.png -map '[b]' wide_1.png -map '[c]' high_0.png -map '[d]' high_1.png
mkdir parts
mv wide_?.png high_?.png parts
texture parts part_textures "${soonest[@]}" --container dds
for name in wide high; do
    texture $name.png $name.dds "${soonest[@]}" --validation
    cmp <(blocks $name.dds) <(blocks part_textures/${name}_0.dds && blocks part_textures/${name}_1.dds) || fail "$name.dds is not what its parts are"
    refuse 1 "$name.png is .*; .* takes at most $limit a side" $name.png out.dds "${soonest[@]}" --mips
done
expect_no out.dds

# Light of any strength, where there is a codec for it.
ffmpeg -nostdin -v error -y -f lavfi -i color=white:s=8x8:r=1:d=1,format=gbrpf32le \
    -vf colorchannelmixer=rr=2:gg=2:bb=2 -frames:v 1 strong.exr
strength=$(ffmpeg -nostdin -v error -i strong.exr -f rawvideo -pix_fmt gbrpf32le - | od -An -t f4 -N 4 | xargs)
mkdir lights
cp strong.exr checker.png lights
texture lights light_textures --codec bc6h --mips --effort fast --validation
texture --decode light_textures/strong.ktx2 strong.pfm --mip 1
expect_float strong.pfm "$strength" 0.02
texture strong.exr signed.ktx2 --codec bc6h_signed --effort fast
texture --decode signed.ktx2 signed.pfm
expect_float signed.pfm "$strength" 0.02
texture --decode light_textures/checker.ktx2 dim.pfm --mip 3
expect_float dim.pfm 0.5 0.01
expect_clean
