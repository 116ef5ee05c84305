#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: kinds of files, mip levels, decoding, folders, pictures that no image of the device holds.
source "$(dirname "$0")/cli_common.sh"

# texture ARGUMENTS...: without one message.
texture() {
    "$weir" texture "$@" >stdout.txt 2>stderr.txt || fail "weir texture $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir texture $* says $(cat stderr.txt)"
}

# expect_png FILE WIDTHxHEIGHT FORMAT
expect_png() {
    local got
    got=$(field "$1" width,height,pix_fmt)
    [ "$got" = "${2/x/,},$3" ] || fail "$1 is $got and should be ${2/x/,},$3"
}

# decibels ONE OTHER: as RGB of 8 bits.
decibels() {
    ffmpeg -nostdin -hide_banner -i "$1" -i "$2" -lavfi "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr" -f null - 2>&1 |
        sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p'
}

at_least() {
    awk -v v="$1" -v b="$2" 'BEGIN { exit !(v == "inf" || (v != "" && v + 0 >= b + 0)) }'
}

# first_values FILE COUNT: of a picture, as RGB of 8 bits.
first_values() {
    ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -t u1 -N "$2" | xargs
}

# pfm_values FILE COUNT: the floats of a PFM file, whose last bytes are the top row's.
pfm_values() {
    tail -c $((4 * $2)) "$1" | od -An -v -t f4 | xargs
}

near() {
    awk -v v="$1" -v w="$2" -v d="$3" 'BEGIN { exit !(v - w <= d && w - v <= d) }'
}

make picture.png testsrc2=s=257x129:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make checker.png "nullsrc=s=8x8:r=1:d=1,geq=lum='255*mod(X+Y,2)':cb=128:cr=128,format=gray" -frames:v 1
codecs=$({ "$weir" texture picture.png x.ktx2 --codec none 2>&1 || true; } | sed -n 's/.*; known: //p' | tr -d ,)

# One texture in three kinds of files, with and without levels.
for options in "" "--mips" "--mips --srgb"; do
    for kind in dds ktx ktx2; do
        # shellcheck disable=SC2086
        texture picture.png one.$kind --codec bc3 $options --validation
        texture --decode one.$kind one_$kind.png
        expect_png one_$kind.png 257x129 rgba
    done
    cmp one_dds.png one_ktx2.png || fail "DDS and KTX2 hold other textures ($options)"
    cmp one_ktx.png one_ktx2.png || fail "KTX and KTX2 hold other textures ($options)"
    expect_decodes one.dds
    at_least "$(decibels one.dds one_dds.png)" 42 || fail "FFmpeg decodes $(decibels one.dds one_dds.png) dB of one.dds"
done

# Levels: all of them, the first as it is alone, each what the picture becomes that weir mips makes of it.
texture picture.png alone.dds --srgb
texture picture.png chain.dds --srgb --mips
cmp <(tail -c +149 alone.dds) <(tail -c +149 chain.dds | head -c $((65 * 33 * 8))) || fail "--mips changes level 0"
texture picture.png chain.ktx2 --srgb --mips --validation
grep -q "^chain.ktx2: 257x129, bc1 at effort default, bc1_rgb_srgb, 9 mip levels, " stdout.txt || fail "$(cat stdout.txt)"
"$weir" mips picture.png levels >/dev/null
for level in 0 1 2 3 4 5 6 7 8; do
    width=$((257 >> level)) height=$((129 >> level))
    size=$((width > 0 ? width : 1))x$((height > 0 ? height : 1))
    texture --decode chain.ktx2 level.png --mip $level
    grep -q "^level.png: $size, mip level $level of 0 .. 8, bc1_rgb_srgb" stdout.txt || fail "$(cat stdout.txt)"
    expect_png level.png $size rgb24
done
mkdir level_pictures
cp levels/picture_level0?.png level_pictures
texture level_pictures level_textures --srgb --container dds
for file in level_textures/*; do tail -c +149 "$file"; done >chain.blocks
cmp <(tail -c +149 chain.dds) chain.blocks || fail "levels are not what their pictures become"
expect_status 1 "mip 9: the levels of chain.ktx2 are 0 .. 8" "$weir" texture --decode chain.ktx2 out.png --mip 9

# Colours are averaged as light, numbers as numbers: half of white is 188, half of 255 is 128.
texture checker.png light.ktx2 --srgb --mips
texture --decode light.ktx2 half.png --mip 3
value=$(first_values half.png 1)
near "$value" 188 4 || fail "half of white is $value"
texture checker.png number.ktx2 --codec eac_r11 --mips
texture --decode number.ktx2 half.png --mip 3
value=$(first_values half.png 1)
near "$value" 128 1 || fail "half of 255 is $value"

# Signed values: 0 .. 1 of a picture stand for -1 .. 1, levels are means of these, and decoding turns them back.
ffmpeg -nostdin -v error -y -f lavfi -i nullsrc=s=16x4:r=1:d=1 -frames:v 1 -pix_fmt rgb24 \
    -vf "format=rgb24,geq=r='51*floor(X/4)+51':g='255*mod(X,2)':b=9" signed.png
for codec in bc4_snorm bc5_snorm eac_r11_snorm eac_rg11_snorm; do
    case $codec in bc*) kind=dds steps=127 ;; *) kind=ktx2 steps=1023 ;; esac
    texture signed.png $codec.$kind --codec $codec --mips --validation
    grep -q "16x4, $codec at effort default, $codec, 5 mip levels" stdout.txt || fail "$(cat stdout.txt)"
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
    near "$(first_values last.png 1)" 127.5 1.1 || fail "$codec: the last level is $(first_values last.png 1)"
    value=$(first_values $codec.png 1)
    near "$value" 51 1 || fail "$codec: 51 is decoded as $value"
    expect_status 2 "$codec holds no sRGB codes" "$weir" texture signed.png out.ktx2 --codec $codec --srgb
done
expect_status 2 "dds files have no name for eac_r11_snorm" "$weir" texture signed.png out.dds --codec eac_r11_snorm
[ "$(head -c 88 bc4_snorm.dds | tail -c 4)" = BC4S ] || fail "bc4_snorm.dds has another format"
[ "$(head -c 88 bc5_snorm.dds | tail -c 4)" = BC5S ] || fail "bc5_snorm.dds has another format"

# Decoded pictures: the kinds of PNG, and PFM as a sampler answers.
texture picture.png grey.ktx2 --codec bc4
texture --decode grey.ktx2 grey.png
expect_png grey.png 257x129 gray16be
texture picture.png pair.ktx2 --codec bc5
texture --decode pair.ktx2 pair.PNG
expect_png pair.PNG 257x129 rgb48be
texture --decode grey.ktx2 grey.pfm
[ "$(head -c 15 grey.pfm | tr '\n' ' ')" = "Pf 257 129 -1.0" ] || fail "grey.pfm begins with $(head -c 15 grey.pfm)"
[ "$(stat -c %s grey.pfm)" = $((16 + 257 * 129 * 4)) ] || fail "grey.pfm has $(stat -c %s grey.pfm) bytes"
texture --decode light.ktx2 half.pfm --mip 3
value=$(pfm_values half.pfm 1)
near "$value" 0.5 0.02 || fail "half of white is $value as light"
texture checker.png codes.ktx2 --mips
texture --decode codes.ktx2 half.pfm --mip 3
value=$(pfm_values half.pfm 1)
near "$value" 0.5 0.02 || fail "half of 255 is $value as a number"
ffmpeg -nostdin -v error -y -i checker.png -vf "format=rgba,colorchannelmixer=aa=0.5" alpha.png
texture alpha.png alpha.ktx2 --codec bc3
expect_status 0 "warning: alpha.pfm: a PFM file has no alpha" "$weir" texture --decode alpha.ktx2 alpha.pfm

# What becomes of alpha. texel_is FILE "R G B A" DISTANCE: the first texel, of 8 bits.
texel_is() {
    local got wanted c
    read -r -a got <<<"$(ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgba - | od -An -v -t u1 -N 4)"
    read -r -a wanted <<<"$2"
    for c in 0 1 2 3; do
        near "${got[c]}" "${wanted[c]}" "$3" || fail "$1 is ${got[*]} and should be $2"
    done
}

# decoded_is NAME LEVEL TEXEL DISTANCE: of NAME.ktx2 and of NAME.dds.
decoded_is() {
    local kind
    for kind in ktx2 dds; do
        texture --decode "$1.$kind" decoded.png --mip "$2"
        texel_is decoded.png "$3" "$4"
    done
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

# both NAME PICTURE OPTIONS...: a KTX2 and a DDS file.
both() {
    texture "$2" "$1.ktx2" --validation "${@:3}"
    texture "$2" "$1.dds" --validation "${@:3}"
}

# With bc7 at effort fast, whose kernel a software device compiles soonest.
make half.png color=0xc86432@0.5:s=6x6:r=1:d=1,format=rgba,geq=r=200:g=100:b=50:a=128 -frames:v 1
both straight half.png --codec bc7 --effort fast
both named half.png --codec bc7 --effort fast --alpha straight
cmp straight.ktx2 named.ktx2 && cmp straight.dds named.dds || fail "straight is not the default"
decoded_is straight 0 "200 100 50 128" 2
is_said straight 0
both multiplied half.png --codec bc7 --effort fast --alpha multiply
decoded_is multiplied 0 "100 50 25 128" 2
is_said multiplied 2
both multiplied half.png --codec bc7 --effort fast --alpha multiply --srgb
decoded_is multiplied 0 "147 72 35 128" 2 # codes of half of the light
is_said multiplied 2
both ignored half.png --codec bc7 --effort fast --alpha ignore
decoded_is ignored 0 "200 100 50 255" 2
is_said ignored 0

both unread half.png --codec bc7 --effort fast --alpha unread
decoded_is unread 0 "200 100 50 255" 2
is_said unread 0
expect_status 2 "--alpha unread: it is for bc7, and does nothing for bc3; choose --alpha ignore" \
    "$weir" texture half.png out.ktx2 --codec bc3 --alpha unread

# Levels: a red that is nearly transparent beside an opaque green, in columns.
make fringe.png "color=black:s=8x8:r=1:d=1,format=rgba,geq=r='255*mod(X,2)':g='255-255*mod(X,2)':b=0:a='255-247*mod(X,2)'" \
    -frames:v 1
for srgb in "" --srgb; do
    # shellcheck disable=SC2086
    {
        both straight fringe.png --codec bc7 --effort fast --mips $srgb
        both multiplied fringe.png --codec bc7 --effort fast --mips --alpha multiply $srgb
        both ignored fringe.png --codec bc7 --effort fast --mips --alpha ignore $srgb
    }
    for level in 1 2 3; do
        if [ -z "$srgb" ]; then
            decoded_is straight $level "8 247 0 132" 3
            decoded_is multiplied $level "4 128 0 132" 3
            decoded_is ignored $level "128 128 0 255" 3
        else
            decoded_is straight $level "49 252 0 132" 3
            decoded_is multiplied $level "34 188 0 132" 3
            decoded_is ignored $level "188 188 0 255" 3
        fi
    done
done

# A picture whose alpha is 1 has the same blocks either way, and one of a folder does not change the next's levels.
ffmpeg -nostdin -v error -y -i checker.png -pix_fmt rgba opaque.png
for choice in straight multiply ignore; do
    texture opaque.png opaque_$choice.dds --codec bc7 --effort fast --mips --alpha $choice
    cmp <(tail -c +149 opaque_straight.dds) <(tail -c +149 opaque_$choice.dds) ||
        fail "--alpha $choice changes an opaque picture"
done
mkdir mixed
cp opaque.png mixed/a.png
cp fringe.png mixed/b.png
cp opaque.png mixed/c.png
texture mixed mixed_textures --codec bc7 --effort fast --mips --container dds
texture fringe.png fringe.dds --codec bc7 --effort fast --mips
cmp mixed_textures/b.dds fringe.dds || fail "the levels of a picture depend on the one before"
cmp mixed_textures/a.dds opaque_straight.dds && cmp mixed_textures/c.dds opaque_straight.dds ||
    fail "the levels of an opaque picture depend on the one before"

# Codecs without alpha: nothing to say of one that is ignored, and nothing to multiply by.
texture half.png ignored.ktx2 --alpha ignore --strict
expect_status 0 "its alpha is left out: bc1 has none" "$weir" texture half.png warned.ktx2
cmp ignored.ktx2 warned.ktx2 || fail "bc1 has something of alpha"
for codec in $codecs; do
    case $codec in
        bc1a | bc3 | bc7 | etc2_rgba | etc2_rgb8a1)
            texture half.png multiplied.ktx2 --codec "$codec" --alpha multiply --validation ;;
        *)
            expect_status 2 "--alpha multiply: $codec has no alpha; choose another --codec" \
                "$weir" texture half.png out.ktx2 --codec "$codec" --alpha multiply ;;
    esac
done
expect_status 2 "ktx files cannot say that colours are multiplied; write a .ktx2 or .dds" \
    "$weir" texture half.png out.ktx --codec bc7 --alpha multiply
make light.exr color=white:s=8x8:r=1:d=1,format=gbrapf32le -frames:v 1
expect_status 1 "light.exr holds linear light" "$weir" texture light.exr out.ktx2 --codec bc7 --alpha multiply
expect_status 2 'unknown alpha "none"; known: straight, multiply, ignore, unread' \
    "$weir" texture half.png out.ktx2 --alpha none
expect_status 2 "it takes --mip and --max-memory, no other option" "$weir" texture --decode straight.ktx2 out.png --alpha ignore
expect_no out.ktx2 out.ktx

# What is no texture, or not one any more.
head -c 5000 chain.ktx2 >cut.ktx2
{ head -c 20 chain.ktx2; printf '\377\377\377\377'; tail -c +25 chain.ktx2; } >lies.ktx2
: >empty.ktx2
expect_status 1 "cut.ktx2: it ends after 5000 bytes, before its level 0 does" "$weir" texture --decode cut.ktx2 out.png
expect_status 1 "lies.ktx2: its header says 4294967295x129 texels" "$weir" texture --decode lies.ktx2 out.png
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
cp picture.png pictures/a.png
cp checker.png pictures/b2.png
cp alpha.png pictures/b10.png
echo text >pictures/notes.txt
texture pictures textures --codec bc3 --mips --srgb --validation
[ "$(ls textures | xargs)" = "a.ktx2 b10.ktx2 b2.ktx2 b3.ktx2" ] || fail "textures has $(ls textures | xargs)"
[ "$(sed 's/:.*//' stdout.txt | xargs)" = "textures/a.ktx2 textures/b2.ktx2 textures/b3.ktx2 textures/b10.ktx2 textures" ] ||
    fail "lines on $(sed 's/:.*//' stdout.txt | xargs)"
grep -q "^textures: 4 of 4 pictures$" stdout.txt || fail "$(cat stdout.txt)"
for name in a b2 b3 b10; do
    texture pictures/$name.png $name.ktx2 --codec bc3 --mips --srgb
    cmp $name.ktx2 textures/$name.ktx2 || fail "$name.png of a folder becomes another texture"
done
texture pictures/ textures/ --codec bc3 --container dds
[ "$(ls textures | wc -l)" = 8 ] || fail "textures has $(ls textures | xargs)"
expect_decodes textures/b10.dds
cp checker.png frame_7.png
cp picture.png frame_8.png
texture 'frame_%d.png' textures --container ktx
[ -s textures/frame_7.ktx ] && [ -s textures/frame_8.ktx ] || fail "no texture of a sequence"

# Of a folder, what fails is named, and the rest is done.
head -c 300 picture.png >pictures/broken.png
cp picture.png pictures/a.bmp
expect_status 1 "broken.png" "$weir" texture pictures some --strict
grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/b10.png has alpha, and bc1 has none" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/a.png: some/a.ktx2 is that of pictures/a.bmp; rename one of the two" stderr.txt ||
    fail "$(cat stderr.txt)"
grep -q "^some: 3 of 6 pictures$" stdout.txt || fail "$(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir bad
cp pictures/broken.png bad
expect_status 1 "bad/broken.png" "$weir" texture bad none
expect_status 1 "bad/broken.png" "$weir" texture bad some
expect_status 1 "some/a.dds' after" limited 8 "$weir" texture pictures some --container dds
grep -q "^some: 0 of 6 pictures$" stdout.txt || fail "a full disk does not end it: $(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir void
expect_status 1 "void: no picture in this folder" "$weir" texture void none
cp picture.png picture
expect_status 1 "cannot write picture: Not a directory" "$weir" texture pictures picture
for output in picture.png x.ktx2 x.gif x.dds; do
    expect_status 2 "$output: several pictures become files of a folder, and this is the name of a file; .*: $output/" \
        "$weir" texture pictures $output
done
expect_status 2 "x.ktx2: several pictures" "$weir" texture 'frame_%d.png' x.ktx2
expect_no x.ktx2 x.gif x.dds
mkdir x.dds
for output in x.dds x.ktx2/; do
    texture 'frame_%d.png' $output --container ktx
    [ "$(ls $output | xargs)" = "frame_7.ktx frame_8.ktx" ] || fail "$output has $(ls $output | xargs)"
done
rm -r x.dds x.ktx2
expect_status 1 "cannot write no_folder/x: No such file" "$weir" texture pictures no_folder/x
expect_no none no_folder

# Larger than an image may be: in parts, which are whole blocks; but not with all levels.
limit=$("$weir" info | sed -n 's/^  limits *\([0-9]*\) texels a side.*/\1/p' | head -n 1)
make wide.png "nullsrc=s=$((limit + 2))x4:r=1:d=1,geq=r='X/7':g='Y*60+X':b='X*X/3',format=rgb24" -frames:v 1
make high.png "nullsrc=s=3x$((limit + 6)):r=1:d=1,geq=r='Y/7':g='X*60+Y':b='Y*Y/3',format=rgb24" -frames:v 1
for part in "wide 0:0 $limit:4" "wide $limit:0 2:4" "high 0:0 3:$limit" "high 0:$limit 3:6"; do
    read -r name place size <<<"$part"
    ffmpeg -nostdin -v error -y -i "$name.png" -vf "crop=$size:$place" part.png
    texture part.png part.dds --codec bc1
    tail -c +129 part.dds >>"$name.blocks"
done
for name in wide high; do
    texture $name.png $name.dds --validation
    cmp <(tail -c +129 $name.dds) $name.blocks || fail "$name.dds is not what its parts are"
    expect_status 1 "$name.png is .*; .* takes at most $limit a side" "$weir" texture $name.png out.dds --mips
done
expect_no out.dds

# Light of any strength, where there is a codec for it.
ffmpeg -nostdin -v error -y -f lavfi -i color=white:s=12x12:r=1:d=1,format=gbrpf32le \
    -vf colorchannelmixer=rr=2:gg=2:bb=2 -frames:v 1 strong.exr
for codec in $codecs; do
    case $codec in
        bc6h*)
            texture strong.exr strong.ktx2 --codec "$codec" --mips --validation
            texture --decode strong.ktx2 strong.pfm --mip 1
            strength=$(ffmpeg -nostdin -v error -i strong.exr -f rawvideo -pix_fmt gbrpf32le - | od -An -t f4 -N 4 | xargs)
            near "$(pfm_values strong.pfm 1)" "$strength" 0.02 || fail "$codec: $(pfm_values strong.pfm 1) of $strength"
            texture checker.png dim.ktx2 --codec "$codec" --mips
            texture --decode dim.ktx2 dim.pfm --mip 3
            near "$(pfm_values dim.pfm 1)" 0.5 0.01 || fail "$codec: half of white is $(pfm_values dim.pfm 1)"
            ;;
    esac
done
[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
