#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: kinds of files, mip levels, decoding, folders, pictures that no image of the device holds. What becomes of
# alpha, cli_texture_alpha.sh says.
# Mostly at effort fast: that efforts have their kernels, cli_texture.sh says.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# first_value PICTURE: the red of the first texel, of 8 bits, once `raw` has decoded it.
first_value() {
    od -An -v -t u1 -N 1 "$1.rgba" | xargs
}

# pfm_values FILE COUNT: the floats of a PFM file, whose last bytes are the top row's.
pfm_values() {
    tail -c $((4 * $2)) "$1" | od -An -v -t f4 | xargs
}

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
grep -q "^chain.ktx2: 256x128, bc3 at effort fast, bc3_srgb, 9 mip levels, " stdout.txt || fail "$(cat stdout.txt)"
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
cmp <(tail -c +149 alone.dds) <(tail -c +149 chain.dds | head -c $((64 * 32 * 16))) || fail "--mips changes level 0"
"$weir" mips even.png levels >/dev/null
for level in 0 1 2 3 4 5 6 7 8; do
    width=$((256 >> level)) height=$((128 >> level))
    size=$((width > 0 ? width : 1))x$((height > 0 ? height : 1))
    texture --decode chain.ktx2 level$level.png --mip $level
    grep -q "^level$level.png: $size, mip level $level of 0 .. 8, bc3_srgb" stdout.txt || fail "$(cat stdout.txt)"
    echo "level$level.png $size rgba"
done >sizes.txt
expect_pictures <sizes.txt
mkdir level_pictures
cp levels/even_level0?.png level_pictures
texture level_pictures level_textures --codec bc3 --srgb --effort fast --container dds
for file in level_textures/*; do tail -c +149 "$file"; done >chain.blocks
cmp <(tail -c +149 chain.dds) chain.blocks || fail "levels are not what their pictures become"
expect_status 1 "mip 9: the levels of chain.ktx2 are 0 .. 8" "$weir" texture --decode chain.ktx2 out.png --mip 9

# Colours are averaged as light, numbers as numbers: half of white is 188, half of 255 is 128.
texture checker.png light.ktx2 --srgb --mips --effort fast
texture --decode light.ktx2 half_light.png --mip 3
texture checker.png number.ktx2 --mips "${soonest[@]}"
texture --decode number.ktx2 half_number.png --mip 3
raw half_light.png half_number.png
near "$(first_value half_light.png)" 188 4 || fail "half of white is $(first_value half_light.png)"
near "$(first_value half_number.png)" 128 1 || fail "half of 255 is $(first_value half_number.png)"

# Signed values: 0 .. 1 of a picture stand for -1 .. 1, levels are means of these, and decoding turns them back.
ffmpeg -nostdin -v error -y -f lavfi -i nullsrc=s=16x4:r=1:d=1 -frames:v 1 -pix_fmt rgb24 \
    -vf "format=rgb24,geq=r='51*floor(X/4)+51':g='255*mod(X,2)':b=9" signed.png
for codec in bc4_snorm bc5_snorm eac_r11_snorm eac_rg11_snorm; do
    case $codec in bc*) kind=dds steps=127 ;; *) kind=ktx2 steps=1023 ;; esac
    texture signed.png $codec.$kind --codec $codec --mips --effort fast
    grep -q "16x4, $codec at effort fast, $codec, 5 mip levels" stdout.txt || fail "$(cat stdout.txt)"
    texture --decode $codec.$kind $codec.pfm
    texture --decode $codec.$kind $codec.png
    for column in 0 4 8 12; do
        wanted=$(awk -v x=$((51 * column / 4 + 51)) 'BEGIN { print 2 * x / 255 - 1 }')
        case $codec in
            *r11_snorm | bc4*) value=$(tail -c $((4 * (16 - column))) $codec.pfm | od -An -v -t f4 -N 4 | xargs) ;;
            *) value=$(tail -c $((12 * (16 - column))) $codec.pfm | od -An -v -t f4 -N 12 | xargs) ;;
        esac
        near "${value%% *}" "$wanted" "$(awk -v n=$steps 'BEGIN { print 0.51 / n }')" ||
            fail "$codec: ${value%% *} at column $column and should be $wanted"
    done
    if [[ $codec = *5* || $codec = *rg11* ]]; then
        values=$(pfm_values $codec.pfm 6)
        read -r _ low _ _ high _ <<<"$values"
        near "$low" -1 0.001 && near "$high" 1 0.001 || fail "$codec: the green is $low and $high, and should be -1 and 1"
        texture --decode $codec.$kind small.pfm --mip 1
        read -r _ low _ <<<"$(pfm_values small.pfm 3)"
        near "$low" 0 0.004 || fail "$codec: the mean of -1 and 1 is $low"
    fi
    texture --decode $codec.$kind last.png --mip 4
    raw last.png $codec.png
    near "$(first_value last.png)" 127.5 1.1 || fail "$codec: the last level is $(first_value last.png)"
    value=$(first_value $codec.png)
    near "$value" 51 1 || fail "$codec: 51 is decoded as $value"
    expect_status 2 "$codec holds no sRGB codes" "$weir" texture signed.png out.ktx2 --codec $codec --srgb
done
expect_status 2 "dds files have no name for eac_r11_snorm" "$weir" texture signed.png out.dds --codec eac_r11_snorm
[ "$(head -c 88 bc4_snorm.dds | tail -c 4)" = BC4S ] || fail "bc4_snorm.dds has another format"
[ "$(head -c 88 bc5_snorm.dds | tail -c 4)" = BC5S ] || fail "bc5_snorm.dds has another format"

# Decoded pictures: the kinds of PNG, and PFM as a sampler answers.
texture picture.png grey.ktx2 --codec bc4 --effort fast
texture --decode grey.ktx2 grey.png
texture picture.png pair.ktx2 --codec bc5 --effort fast
texture --decode pair.ktx2 pair.PNG
expect_pictures <<<"grey.png 257x129 gray16be
pair.PNG 257x129 rgb48be"
texture --decode grey.ktx2 grey.pfm
[ "$(head -c 15 grey.pfm | tr '\n' ' ')" = "Pf 257 129 -1.0" ] || fail "grey.pfm begins with $(head -c 15 grey.pfm)"
[ "$(stat -c %s grey.pfm)" = $((16 + 257 * 129 * 4)) ] || fail "grey.pfm has $(stat -c %s grey.pfm) bytes"
texture --decode light.ktx2 half.pfm --mip 3
value=$(pfm_values half.pfm 1)
near "$value" 0.5 0.02 || fail "half of white is $value as light"
texture --decode number.ktx2 half.pfm --mip 3
value=$(pfm_values half.pfm 1)
near "$value" 0.5 0.02 || fail "half of 255 is $value as a number"
ffmpeg -nostdin -v error -y -i checker.png -vf "format=rgba,colorchannelmixer=aa=0.5" alpha.png
texture alpha.png alpha.ktx2 --codec bc3 --effort fast
expect_status 0 "warning: alpha.pfm: a PFM file has no alpha" "$weir" texture --decode alpha.ktx2 alpha.pfm

# What is no texture, or not one any more.
head -c 5000 chain.ktx2 >cut.ktx2
{ head -c 20 chain.ktx2; printf '\377\377\377\377'; tail -c +25 chain.ktx2; } >lies.ktx2
: >empty.ktx2
expect_status 1 "cut.ktx2: it ends after 5000 bytes, before its level 0 does" "$weir" texture --decode cut.ktx2 out.png
expect_status 1 "lies.ktx2: its header says 4294967295x128 texels" "$weir" texture --decode lies.ktx2 out.png
expect_status 1 "empty.ktx2: it begins as no DDS, KTX or KTX2 file does" "$weir" texture --decode empty.ktx2 out.png
expect_status 1 "picture.png: it begins as no DDS" "$weir" texture --decode picture.png out.png
expect_status 1 "cannot read missing.ktx2: No such file" "$weir" texture --decode missing.ktx2 out.png
expect_status 1 "cannot read levels: " "$weir" texture --decode levels out.png
expect_status 1 "no_folder/out.png" "$weir" texture --decode chain.ktx2 no_folder/out.png
cp chain.ktx2 texture.png
expect_status 1 "texture.png is the input itself" "$weir" texture --decode texture.png texture.png
cmp chain.ktx2 texture.png || fail "the input was changed"
expect_status 2 "out.jpg: --decode writes a picture, its name ends in .png or .pfm" \
    "$weir" texture --decode chain.ktx2 out.jpg
expect_status 2 "it takes --mip and --max-memory, no other option" "$weir" texture --decode chain.ktx2 out.png --codec bc1
expect_no out.png out.jpg no_folder

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
grep -q "^textures: 4 of 4 pictures$" stdout.txt || fail "$(cat stdout.txt)"
for name in b3 b10; do # of another size, and with alpha
    texture pictures/$name.png $name.ktx2 --codec bc3 --mips --srgb --effort fast
    cmp $name.ktx2 textures/$name.ktx2 || fail "$name.png of a folder becomes another texture"
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
expect_status 1 "broken.png" "$weir" texture pictures some "${soonest[@]}" --strict
grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/b10.png has alpha, and bc4 has none" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/a.png: some/a.ktx2 is that of pictures/a.bmp; rename one of the two" stderr.txt ||
    fail "$(cat stderr.txt)"
grep -q "^some: 3 of 6 pictures$" stdout.txt || fail "$(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir bad
cp pictures/broken.png bad
expect_status 1 "bad/broken.png" "$weir" texture bad none "${soonest[@]}"
expect_status 1 "bad/broken.png" "$weir" texture bad some "${soonest[@]}"
expect_status 1 "some/a.dds' after" limited 8 "$program" texture pictures some "${soonest[@]}" --container dds
grep -q "^some: 0 of 6 pictures$" stdout.txt || fail "a full disk does not end it: $(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir void
expect_status 1 "void: no picture in this folder" "$weir" texture void none
cp picture.png picture
expect_status 1 "cannot write picture: Not a directory" "$weir" texture pictures picture "${soonest[@]}"
for output in picture.png x.ktx2 x.gif x.dds; do
    expect_status 2 "$output: several pictures become files of a folder, and this is the name of a file; .*: $output/" \
        "$weir" texture pictures $output
done
expect_status 2 "x.ktx2: several pictures" "$weir" texture 'frame_%d.png' x.ktx2
expect_no x.ktx2 x.gif x.dds
mkdir x.dds
for output in x.dds x.ktx2/; do
    texture 'frame_%d.png' $output "${soonest[@]}" --container ktx
    [ "$(ls $output | xargs)" = "frame_7.ktx frame_8.ktx" ] || fail "$output has $(ls $output | xargs)"
done
rm -r x.dds x.ktx2
expect_status 1 "cannot write no_folder/x: No such file" "$weir" texture pictures no_folder/x "${soonest[@]}"
expect_no none no_folder

# Larger than an image may be: in parts, which are whole blocks; but not with all levels.
limit=$("$weir" info | sed -n 's/^  limits *\([0-9]*\) texels a side.*/\1/p' | head -n 1)
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
    cmp <(tail -c +129 $name.dds) <(tail -q -c +129 part_textures/${name}_?.dds) || fail "$name.dds is not what its parts are"
    expect_status 1 "$name.png is .*; .* takes at most $limit a side" "$weir" texture $name.png out.dds "${soonest[@]}" --mips
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
near "$(pfm_values strong.pfm 1)" "$strength" 0.02 || fail "bc6h: $(pfm_values strong.pfm 1) of $strength"
texture strong.exr signed.ktx2 --codec bc6h_signed --effort fast
texture --decode signed.ktx2 signed.pfm
near "$(pfm_values signed.pfm 1)" "$strength" 0.02 || fail "bc6h_signed: $(pfm_values signed.pfm 1) of $strength"
texture --decode light_textures/checker.ktx2 dim.pfm --mip 3
near "$(pfm_values dim.pfm 1)" 0.5 0.01 || fail "bc6h: half of white is $(pfm_values dim.pfm 1)"
[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
