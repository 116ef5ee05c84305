#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture, one picture and one effort: every codec, judged by FFmpeg's decoder where it has one and else by the
# decoders of weir texture --decode, which Mesa has judged. Then alpha, pictures of 16 bits and --quality. That blocks are the references' at every effort and size, gpu_encode says;
# cli_texture_files.sh has codecs of signed values.
# bash cli_texture.sh WEIR FOLDER LESSER, where LESSER is lesser_device.c.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
lesser=$3

# Of each codec: bytes of a block, the FourCC of its DDS file where FFmpeg reads one, the channels that it holds, and what
# it reaches at effort fast less 1 dB, at two sizes. Displaced blocks have less than 15 dB. FFmpeg makes the blue of a normal
# for BC5. How much better other efforts are, bench_content_quality says.
declare -A block_size four_cc channels floor
while read -r codec bytes name held small large; do
    block_size[$codec]=$bytes four_cc[$codec]=$name channels[$codec]=$held
    floor[$codec-30x18]=$small floor[$codec-257x129]=$large
done <<'CODECS'
bc1         8  DXT1 gbrp                    24.6 33.7
bc1a        8  -    gbrp                    24.6 33.7
bc3         16 DXT5 gbrp                    24.6 33.7
bc4         8  ATI1 gbrp,extractplanes=r    33.5 40.4
bc5         16 BC5U gbrp,lutrgb=b=0         37.0 43.1
bc6h        16 -    gbrp                    19.9 -
bc7         16 -    gbrp                    26.3 47.0
etc1        8  -    gbrp                    22.4 26.3
etc2_rgb    8  -    gbrp                    24.1 31.5
etc2_rgb8a1 8  -    gbrp                    24.1 31.5
etc2_rgba   16 -    gbrp                    24.1 31.5
eac_r11     8  -    gbrp,extractplanes=r    35.6 43.5
eac_rg11    16 -    gbrp,lutrgb=b=0         38.9 46.2
CODECS

# expect_dds FILE SIZE FOUR_CC CODEC: its length is that of a whole number of blocks.
expect_dds() {
    local bytes=$((128 + (${2%x*} + 3) / 4 * ((${2#*x} + 3) / 4) * ${block_size[$4]}))
    [ "$(four_cc "$1")" = "$3" ] || fail "$1 has the FourCC $(four_cc "$1") and should have $3"
    [ "$3" != DX10 ] || bytes=$((bytes + 20))
    [ "$(stat -c %s "$1")" = $bytes ] || fail "$1 has $(stat -c %s "$1") bytes and should have $bytes"
}

# judge_textures FILE...: of lines "TEXTURE SOURCE CODEC" the same with the decibels before them, of the channels that the
# codec holds.
judge_textures() {
    local texture source codec
    while read -r texture source codec; do
        printf '%s %s format=%s\n' "$texture" "$source" "${channels[$codec]}"
    done <"$1" >pairs.txt
    decibels <pairs.txt | paste -d ' ' - "$1"
}

for size in 60x48 30x18 257x129; do
    make $size.png testsrc2=s=$size:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
done
codecs=$(known codec)
[ "$(wc -w <<<"$codecs")" -ge 3 ] || fail "an unknown codec is answered with $codecs"
[ "$(known effort)" = "default fast high exhaustive live" ] || fail "an unknown effort is answered with $(known effort)"

# Of each codec of blocks from one folder, whose pictures are the same as alone (cli_texture_files.sh). BC6H takes the smaller one, as its
# kernel is the slowest.
mkdir pictures
cp 30x18.png 257x129.png pictures
validation=(--validation)
for codec in $codecs; do
    [[ $codec != *_snorm && $codec != *_signed && $codec != rgba* ]] || continue
    kind=ktx2
    [ "${four_cc[$codec]:-none measured}" = - ] || kind=dds
    [ $codec != bc6h ] || rm pictures/257x129.png
    texture pictures $codec --codec "$codec" --effort fast --container $kind "${validation[@]}"
    validation=()
    for picture in pictures/*; do
        size=${picture#*/} size=${size%.png}
        says "^$codec/$size.$kind: $size, $codec at effort fast, "
        [ $kind != dds ] || expect_dds $codec/$size.dds $size "${four_cc[$codec]}" "$codec"
        echo "$codec/$size.$kind $size.png $codec"
    done
    cp 257x129.png pictures
done >files.txt
judge_textures files.txt >values.txt
while read -r found file picture codec; do
    at_least "$found" "${floor[$codec-${picture%.png}]}" || fail "$file: $found dB, and ${floor[$codec-${picture%.png}]} are wanted"
    printf '%s: %s dB\n' "$file" "$found"
done <values.txt

# Efforts are other kernels, and none is worse than the one before; of a picture alone, one texel too.
for effort in fast default high exhaustive; do
    texture 257x129.png bc4_$effort.dds --codec bc4 --effort $effort
    says "^bc4_$effort.dds: 257x129, bc4 at effort $effort, "
    echo "bc4_$effort.dds 257x129.png format=${channels[bc4]}"
done >pairs.txt
cmp bc4_fast.dds bc4/257x129.dds || fail "a picture of a folder is another one"
decibels <pairs.txt | sort -cn || fail "an effort of bc4 is worse than the one before: $(decibels <pairs.txt | xargs)"
[ "$(md5sum bc4_*.dds | cut -d ' ' -f 1 | sort -u | wc -l)" -ge 3 ] || fail "efforts of bc4 are the same"
make 1x1.png color=0x1e90ff:s=1x1:r=1:d=1,format=rgb24 -frames:v 1
texture 1x1.png 1x1.dds "${soonest[@]}"
[ "$(decibels <<<"1x1.dds 1x1.png format=${channels[bc4]}")" = inf ] || fail "a texel is not kept"

# The judge sees blocks that are one place off, of a file of each codec, and blocks of another codec.
grep '30x18' files.txt | while read -r good picture codec; do
    header=128 displaced=displaced_$codec.${good##*.}
    [[ $good = *.dds ]] || header=$(number "$good" 80)
    { head -c "$header" "$good"; tail -c "${block_size[$codec]}" "$good"; tail -c +$((header + 1)) "$good"; } |
        head -c "$(stat -c %s "$good")" >$displaced
    echo "$displaced $picture $codec"
done >displaced.txt
{ head -c 128 bc4/257x129.dds; tail -c +129 bc1/257x129.dds; } >other.dds
echo "other.dds 257x129.png bc4" >>displaced.txt
judge_textures displaced.txt >values.txt
while read -r found file picture codec; do
    ! at_least "$found" "${floor[$codec-${picture%.png}]}" || fail "$file passes with $found dB"
done <values.txt

# sRGB is a mark, and no more.
texture 60x48.png plain.dds --effort fast
texture 60x48.png marked.dds --effort fast --srgb
says bc1_rgb_srgb
expect_dds plain.dds 60x48 DXT1 bc1
expect_dds marked.dds 60x48 DX10 bc1
[ "$(number marked.dds 128)" = 72 ] || fail "marked.dds does not say that it is sRGB"
cmp -s <(blocks marked.dds) <(blocks plain.dds) || fail "--srgb changes blocks"

# 16 bits are rounded to 8: 25828 of 65535 is 100.498 of 255, and 25829 is 100.502.
for value in '\344d' '\345d' '\345d'; do
    # shellcheck disable=SC2059
    printf "$value$value$value$value$value$value$value$value$value"
done | ffmpeg -v error -y -f rawvideo -s 3x3 -pix_fmt rgb48le -i pipe: deep.png
texture deep.png deep.dds --codec bc5 --effort fast
got=$(ffmpeg -nostdin -v error -i deep.dds -f rawvideo -pix_fmt rgb24 - | od -An -v -t u1 -w3 | awk '{ printf "%s,%s ", $1, $2 }')
[ "$got" = "100,100 100,100 100,100 101,101 101,101 101,101 101,101 101,101 101,101 " ] || fail "16 bits became $got"

# Alpha: what is opaque is not lost, what is not is told.
ffmpeg -nostdin -v error -y -i 60x48.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'" alpha.png \
    -map 0 -pix_fmt rgba opaque.png
becomes plain.dds "an opaque alpha" opaque.png opaque.dds --effort fast --strict
refuse 0 "warning: alpha.png: its alpha is left out: bc1 has none" alpha.png alpha.dds --effort fast
texture alpha.png alpha3.dds --codec bc3 --effort fast --strict
{ read -r bc1; read -r bc3; read -r held; } < <(decibels <<<"alpha.dds 60x48.png
alpha3.dds 60x48.png
alpha3.dds alpha.png format=rgba,extractplanes=a")
at_least "$bc1" "${floor[bc1-30x18]}" || fail "alpha.dds lost its colours: $bc1 dB"
at_least "$bc3" "${floor[bc3-30x18]}" || fail "alpha3.dds lost its colours: $bc3 dB"
at_least "$held" 48 || fail "alpha3.dds: alpha has $held dB"
for codec in bc1 bc4 bc5; do
    refuse 1 "alpha.png has alpha, and $codec has none" alpha.png out.dds --codec $codec --effort fast --strict
done

# Options of BC1: black texels beside colours, and the means of 8x8 texels of a soft slope.
make art.png "color=black:s=132x100:r=1:d=1,format=gbrp,geq=r='if(mod(floor(X/3)+floor(Y/3)\,3)\,40+50*mod(floor(X/7)*floor(Y/5)\,5)\,0)':g='if(mod(floor(X/3)+floor(Y/3)\,3)\,200-30*mod(floor(X/9)\,6)\,0)':b='if(mod(floor(X/3)+floor(Y/3)\,3)\,90\,0)'" \
    -frames:v 1 -pix_fmt rgb24
make slope.png "nullsrc=s=504x72:r=1:d=1,format=gbrp,geq=r='trunc(90+X/12)':g='trunc(90+X/12)':b='trunc(90+X/12)'" \
    -frames:v 1 -pix_fmt rgb24
texture art.png slope.png plain/
says "^plain/art.ktx2: 132x100, bc1 at effort default, "
texture art.png black.ktx2 --bc1-black
texture slope.png dither.ktx2 --bc1-dither
# FFmpeg's decoder drops fractions: by it the slope is nearer when it is encoded for it.
texture plain/slope.ktx2 plain.dds
texture slope.png ffmpeg.dds --decoder ffmpeg
means=format=gbrp16le,scale=63:9:flags=area+accurate_rnd
decibels <<<"plain/art.ktx2 art.png
black.ktx2 art.png
plain.dds slope.png
ffmpeg.dds slope.png
plain/slope.ktx2 slope.png $means
dither.ktx2 slope.png $means" | paste - - <(printf '%s\n' "8 --bc1-black" "4 --decoder ffmpeg" "2.3 --bc1-dither") | tee gains.txt
awk '$2 != "inf" && $2 < $1 + $3 { exit 1 }' gains.txt || fail "an option of BC1 gains fewer dB than it should"
# The other codecs that have the option; gpu_encode compares their blocks.
for codec in bc1a bc3; do
    texture slope.png slope_$codec.ktx2 --codec $codec --effort fast
    texture slope.png dither_$codec.ktx2 --codec $codec --effort fast --bc1-dither
    ! cmp -s slope_$codec.ktx2 dither_$codec.ktx2 || fail "--bc1-dither does nothing for $codec"
done
refuse 1 "decoder: plain/art.ktx2 is a texture already" plain/art.ktx2 out.ktx2 --decoder ffmpeg
refuse 0 "warning: --bc1-black: DDS files have no BC1 without alpha" art.png art.dds --effort fast --bc1-black
refuse 1 "bc1-black" plain/art.ktx2 out.ktx2 --bc1-black
expect_no out.ktx2 out.png

becomes bc4_fast.dds "an ending in capitals" 257x129.png UPPER.DDS "${soonest[@]}"

make dark.exr "nullsrc=s=36x20:r=1:d=1,format=gbrpf32le,geq=r='0.0004*(X+Y)':g='exp(X/4)':b='random(1)'" -frames:v 1
for metric in octaves log; do
    texture dark.exr $metric.ktx2 --codec bc6h --effort fast --metric $metric
done
! cmp -s octaves.ktx2 log.ktx2 || fail "--metric log gives the blocks of octaves"

printf before >older.dds
becomes bc4_fast.dds "the file that was there" 257x129.png older.dds "${soonest[@]}"
expect_clean

# --alpha: what becomes of alpha in textures and in their levels.
part alpha
make checker.png "nullsrc=s=8x8:r=1:d=1,geq=lum='255*mod(X+Y,2)':cb=128:cr=128,format=gray" -frames:v 1

# With bc7 at effort live, whose kernel a software device compiles soonest of those whose DDS files say what alpha is.
# both NAME PICTURE OPTIONS...: a KTX2 and a DDS file, which hold the same.
both() {
    texture "$2" "$1.ktx2" --codec bc7 --effort live "${@:3}"
    texture "$1.ktx2" "$1.dds"
}

# level_of NAME LEVEL R G B A DISTANCE: what the first texel of that level of NAME.ktx2 is to be, for `expect_texels`.
level_of() {
    texture --decode "$1.ktx2" "$1_$2.png" --mip "$2"
    texel_of "$1_$2.png" "${@:3}"
}

# is_said NAME COUNT: how many of NAME.ktx2 and of NAME.dds say that colours are multiplied, and decoding tells it.
is_said() {
    local place kind said=0
    place=$(($(number "$1.ktx2" 48) + 15))
    [ "$(od -An -t u1 -j $place -N 1 "$1.ktx2" | xargs)" = $(($2 > 0 ? 1 : 0)) ] || fail "$1.ktx2 has other flags"
    [ "$(number "$1.dds" 144)" = $(($2 > 0 ? 2 : 0)) ] || fail "$1.dds has another alpha mode"
    for kind in ktx2 dds; do
        texture --decode "$1.$kind" decoded.png
        ! grep -q "colours multiplied by alpha" stdout.txt || said=$((said + 1))
    done
    [ $said = "$2" ] || fail "$said of two files of $1 say that colours are multiplied"
}

make half.png color=0xc86432@0.5:s=6x6:r=1:d=1,format=rgba,geq=r=200:g=100:b=50:a=128 -frames:v 1
while IFS="|" read -r name said texel options; do
    # shellcheck disable=SC2086
    both $name half.png $options
    level_of $name 0 $texel 2
    is_said $name "$said"
done <<'CASES'
straight|0|200 100 50 128|
multiplied|2|100 50 25 128|--alpha multiply
light|2|147 72 35 128|--alpha multiply --srgb
ignored|0|200 100 50 255|--alpha ignore
unread|0|200 100 50 255|--alpha unread
CASES
expect_texels
becomes straight.ktx2 "straight is the default" half.png named.ktx2 --codec bc7 --effort live --alpha straight
becomes multiplied.dds "a picture and a texture" half.png named.dds --codec bc7 --effort live --alpha multiply

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
        cmp <(blocks opaque_straighta.dds) <(blocks opaque_$choice$name.dds) ||
            fail "--alpha $choice changes an opaque picture, or it depends on the one before"
    done
    cp mixed_$choice/b.ktx2 fringe_$choice.ktx2
    [ $choice = ignore ] || texture fringe.png fringe_$choice--srgb.ktx2 --codec bc7 --effort live --mips --srgb --alpha $choice
done
becomes mixed_straight/b.ktx2 "the one before" fringe.png fringe.ktx2 --codec bc7 --effort live --mips
for level in 1 2 3; do
    level_of fringe_straight $level 8 247 0 132 3
    level_of fringe_multiply $level 4 128 0 132 3
    level_of fringe_ignore $level 128 128 0 255 3
    level_of fringe_straight--srgb $level 49 252 0 132 3
    level_of fringe_multiply--srgb $level 34 188 0 132 3
done
expect_texels

# Codecs without alpha: nothing to say of one that is ignored.
texture half.png ignored.ktx2 --alpha ignore --strict --effort fast
refuse 0 "its alpha is left out: bc1 has none" half.png warned.ktx2 --effort fast
cmp ignored.ktx2 warned.ktx2 || fail "bc1 has something of alpha"
expect_clean

# Pictures of 16 bits: EAC keeps what 11 bits hold of them. No side is a power of two: these kernels are compiled above.
part depth

# A slope of a code of 8 bits each eight texels, which a block holds to a fraction of it. Levels are means of 16 bits too.
slope='20000+X*32+Y*16'
make red.png "nullsrc=s=252x60:r=1:d=1,format=gray16le,geq=lum='$slope',format=rgb48be" -frames:v 1
make two.png "nullsrc=s=252x60:r=1:d=1,format=gbrp16le,geq=r='$slope':g='50000-X*64':b=0,format=rgb48be" -frames:v 1
ffmpeg -nostdin -v error -y -i red.png -vf format=gray16le,scale=126:30:flags=area+accurate_rnd,format=rgb48be half.png
while read -r codec picture level least; do
    [ "$level" = 1 ] || texture "$picture" $codec.ktx2 --codec "$codec" --effort fast --validation --mips
    texture --decode $codec.ktx2 $codec$level.png --mip "$level"
    # Blue, which signed formats decode to the middle, does not count.
    echo "$codec$level.png $([ "$level" = 1 ] && echo half.png || echo $picture) format=gbrp16le,lutrgb=b=0" >>pairs.txt
    echo "$codec$level.png $least" >>least.txt
done <<'CASES'
eac_r11 red.png 0 70
eac_r11 red.png 1 66
eac_r11_snorm red.png 0 70
eac_rg11 two.png 0 70
eac_rg11_snorm two.png 0 70
CASES
while read -r found name least; do
    printf '%s: %s dB\n' "$name" "$found"
    at_least "$found" "$least" || fail "$name has $found dB, and rounding to 8 bits 59"
done < <(paste -d ' ' <(decibels <pairs.txt) least.txt)

# Codes of 8 bits are the same in 16, and on a device that has no images of 16 bits.
codes=('trunc(128+100*sin(X/9)*cos(Y/7))' 'mod(X+2*Y\,256)')
for wide in "gbrp 1 eight rgb24" "gbrp16le 257 sixteen rgb48be"; do
    read -r format factor name stored <<<"$wide"
    make $name.png "color=s=67x45:r=1:d=1,format=$format,geq=r='$factor*${codes[0]}':g='$factor*${codes[1]}':b=0" \
        -frames:v 1 -pix_fmt $stored
done
texture eight.png eight.ktx2 --codec eac_rg11 --effort fast
becomes eight.ktx2 "codes of 8 bits in 16" sixteen.png sixteen.ktx2 --codec eac_rg11 --effort fast
WEIR_LESSER=rgba16_unorm LD_PRELOAD=$lesser "$weir" texture sixteen.png lesser.ktx2 --codec eac_rg11 --effort fast >/dev/null
cmp eight.ktx2 lesser.ktx2 || fail "codes of 8 bits are others without images of 16 bits"

# --quality: blocks that compress better, of every codec that has them.
part quality
# Shapes and grain, larger than a tile of the optimiser, at a size that is none of whole blocks. Both sides of a level are
# powers of two, or none is: a software device compiles two variants of a kernel.
make grain.png "testsrc2=s=150x144:r=1:d=1,noise=alls=8:allf=t:all_seed=1,format=rgb24" -frames:v 1

# said FILE: the decibels in the line on it.
said() { sed -n 's/.*, \([0-9.]*\) dB at quality .*/\1/p' "$1"; }

# Less quality is fewer bytes, with all levels, and what the line says is what was lost.
fast=(--effort fast --mips --zstd)
texture grain.png q.ktx2 --codec bc4 --effort fast
[ -z "$(said stdout.txt)" ] || fail "there is nothing to say without --quality: $(cat stdout.txt)"
for quality in 100 50 20; do
    texture grain.png q$quality.ktx2 "${fast[@]}" --quality $quality
    stat -c %s q$quality.ktx2 >>bytes.txt
    said stdout.txt >>said.txt
    echo "q$quality.ktx2 grain.png"
done >pairs.txt
becomes q.ktx2 "--quality 100 is the default" grain.png same.ktx2 --codec bc4 --effort fast --quality 100
paste -d ' ' bytes.txt <(decibels <pairs.txt) <(echo none && cat said.txt) | tee sizes.txt
sort -c -u -k 1,1nr sizes.txt || fail "a lower quality has as many bytes: $(cat sizes.txt)"
sort -c -k 2,2nr sizes.txt || fail "a lower quality is nearer to the picture: $(cat sizes.txt)"
awk 'NR == 1 { most = $1; best = $2 }
    NR > 1 && ($3 - $2 > 0.06 || $2 - $3 > 0.06) { print "what it says is not what was lost"; exit 1 }
    END { if ($1 > 0.75 * most || $2 < best - 4) { print "too many bytes, or too few decibels"; exit 1 } }' sizes.txt >why.txt ||
    fail "$(cat why.txt): $(cat sizes.txt)"

# The other codecs, two pictures of a folder one after the other, which become what they become alone.
mkdir pictures
ffmpeg -nostdin -v error -y -i grain.png -vf crop=138:130 pictures/grain.png
make pictures/bars.png "smptebars=s=140x68:r=1:d=1,format=rgba,colorchannelmixer=aa=0.5,noise=alls=6:allf=t:all_seed=1" -frames:v 1
while read -r codec alpha size; do
    kind=(--codec "$codec" --alpha "$alpha" --effort fast --zstd --quality 40)
    texture pictures "$codec" "${kind[@]}"
    few=$(stat -c %s "$codec/bars.ktx2") many=$((35 * 17 * size))
    printf '%s: %s bytes for %s bytes of blocks\n' "$codec" "$few" "$many"
    [ $((few * 5)) -lt $((many * 2)) ] || fail "$codec: $few bytes at quality 40, for $many of blocks"
done <<<"bc3 straight 16
bc4 ignore 8
bc5 ignore 16"
becomes bc5/grain.ktx2 "a folder" pictures/grain.png alone.ktx2 "${kind[@]}"

# Without Zstandard the file has its size, of which one line tells; that of a DDS file is known, and FFmpeg reads it.
"$weir" texture grain.png plain.ktx2 --effort fast --mips --quality 50 >stdout.txt 2>stderr.txt || fail "$(cat stderr.txt)"
[ "$(cat stderr.txt)" = "weir texture: --quality: files get no smaller until they are compressed; --zstd does that" ] ||
    fail "$(cat stderr.txt)"
becomes q50.ktx2 "the same blocks" plain.ktx2 again.ktx2 --zstd
texture grain.png q50.dds --effort fast --quality 50 --validation
at_least "$(decibels <<<"q50.dds q50.ktx2.png")" 38 || fail "FFmpeg reads other blocks in q50.dds"

refuse 1 "--quality: plain.ktx2 is a texture already" plain.ktx2 no.ktx2 --quality 60
expect_no no.ktx2 no.png
