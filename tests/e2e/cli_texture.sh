#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture, one picture and one effort: every codec, judged by FFmpeg's decoder where it has one and else by the
# decoders of weir texture --decode, which Mesa has judged; and bad input: a message, the exit status, nothing left behind.
source "$(dirname "$0")/cli_common.sh"

# texture INPUT OUTPUT OPTIONS...: without one message. Every third time the validation layer listens.
num_calls=0
texture() {
    local validation=()
    ((num_calls++ % 3)) || validation=(--validation)
    "$weir" texture "$@" "${validation[@]}" >stdout.txt 2>stderr.txt || fail "weir texture $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir texture $* says $(cat stderr.txt)"
}

# expect_dds FILE SIZE FOUR_CC BYTES
expect_dds() {
    local got
    got=$(field "$1" codec_name,width,height)
    [ "$got" = "dds,${2/x/,}" ] || fail "$1 is $got and should be dds,${2/x/,}"
    got=$(head -c 88 "$1" | tail -c 4)
    [ "$got" = "$3" ] || fail "$1 has the FourCC $got and should have $3"
    got=$(stat -c %s "$1")
    [ "$got" = "$4" ] || fail "$1 has $got bytes and should have $4"
}

# ending CODEC: FFmpeg reads DDS, and of that BC1 to BC5.
ending() { case $1 in bc[1345]) echo dds ;; *) echo ktx2 ;; esac }

# filter CODEC: of both pictures: what the codec holds. FFmpeg makes the blue of a normal for BC5.
filter() {
    case $1 in
        bc4* | eac_r11*) echo extractplanes=r ;;
        bc5* | eac_rg11*) echo lutrgb=b=0 ;;
        *) echo null ;;
    esac
}

# texture_psnr FILE SOURCE CODEC: of the channels that the codec holds [dB].
texture_psnr() {
    local planes file=$1
    planes="format=gbrp,$(filter "$3")"
    if [ "$(ending "$3")" != dds ]; then
        file=decoded.png
        "$weir" texture --decode "$1" $file >decoded.txt || fail "$1 is not decoded"
    fi
    ffmpeg -nostdin -hide_banner -i "$file" -i "$2" -lavfi "[0]${planes}[a];[1]${planes}[b];[a][b]psnr" -f null - 2>&1 |
        sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p'
}

# at_least VALUE BOUND: in dB; "inf" is the most.
at_least() {
    awk -v v="$1" -v b="$2" 'BEGIN { exit !(v == "inf" || (b != "inf" && v != "" && v + 0 >= b + 0)) }'
}

# floor CODEC SIZE: what every effort reaches, less 1 dB. Displaced blocks have less than 15 dB.
floor() {
    case $1-$2 in
        bc[13]-60x48 | bc1a-60x48) echo 26.5 ;;
        bc[13]-30x18 | bc1a-30x18) echo 24.6 ;;
        bc[13]-257x129 | bc1a-257x129) echo 33.7 ;;
        bc[13]-1x1 | bc1a-1x1) echo 38 ;;
        bc4-60x48 | bc4_snorm-60x48) echo 36.7 ;;
        bc4-30x18 | bc4_snorm-30x18) echo 33.5 ;;
        bc4-257x129 | bc4_snorm-257x129) echo 40.4 ;;
        bc5-60x48 | bc5_snorm-60x48) echo 40.0 ;;
        bc5-30x18 | bc5_snorm-30x18) echo 37.0 ;;
        bc5-257x129 | bc5_snorm-257x129) echo 43.1 ;;
        bc[45]-1x1) echo inf ;;
        bc*-1x1 | e*-1x1) echo 30 ;;
        eac_rg11*-60x48) echo 42.3 ;;
        eac_rg11*-30x18) echo 38.9 ;;
        eac_rg11*-257x129) echo 46.2 ;;
        eac_r11*-60x48) echo 38.9 ;;
        eac_r11*-30x18) echo 35.6 ;;
        eac_r11*-257x129) echo 43.5 ;;
        bc6h*-60x48) echo 32.1 ;;
        bc6h*-30x18) echo 19.9 ;;
        bc6h*-257x129) echo 39.1 ;;
        bc7-60x48) echo 39.9 ;;
        bc7-30x18) echo 26.3 ;;
        bc7-257x129) echo 47.0 ;;
        etc1-60x48) echo 27.1 ;;
        etc1-30x18) echo 22.4 ;;
        etc1-257x129) echo 26.3 ;;
        etc2*-60x48) echo 28.2 ;;
        etc2*-30x18) echo 24.1 ;;
        etc2*-257x129) echo 31.5 ;;
        *) fail "no floor for $1 at $2: measure it" ;;
    esac
}

block_size() { case $1 in bc1 | bc1a | bc4* | etc1 | etc2_rgb | etc2_rgb8a1 | eac_r11*) echo 8 ;; *) echo 16 ;; esac }
four_cc() { case $1 in bc1) echo DXT1 ;; bc3) echo DXT5 ;; bc4) echo ATI1 ;; bc5) echo BC5U ;; esac }

for size in 60x48 30x18 257x129; do
    make $size.png testsrc2=s=$size:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
done
make 1x1.png color=0x1e90ff:s=1x1:r=1:d=1,format=rgb24 -frames:v 1
codecs=$({ "$weir" texture 1x1.png x.dds --codec none 2>&1 || true; } | sed -n 's/.*; known: //p' | tr -d ,)
efforts=$({ "$weir" texture 1x1.png x.dds --effort none 2>&1 || true; } | sed -n 's/.*; known: //p' | tr -d ,)
[ "$(wc -w <<<"$codecs")" -ge 3 ] || fail "an unknown codec is answered with $codecs"
[ "$efforts" = "default fast high exhaustive" ] || fail "an unknown effort is answered with $efforts"

# Those of a codec at a size: what FFmpeg does not read is compared byte by byte elsewhere. Signed codecs have the kernels
# of the others. The software device compiles a kernel again for 1x1, powers of two: the other codecs have it at the effort
# that gpu_texture has it at.
efforts_at() {
    case $(ending "$1")-$1-$2 in
        *_snorm-1x1 | *_signed-1x1) ;;
        *_snorm-* | *_signed-*) echo default ;;
        dds-* | *-30x18) echo default fast high ;;
        *-1x1) echo fast ;;
        *) echo default ;;
    esac
}

# Every codec and effort, at sizes of whole blocks and not: those of an effort from one folder, whose pictures are the same
# as alone (cli_texture_files.sh). Of the variants of a kernel that the software device compiles in a process, the next one
# finds the first: 1x1 is the last.
sizes="60x48 30x18 257x129 1x1"
for codec in $codecs; do
    kind=$(ending "$codec")
    for effort in default fast high; do
        rm -rf pictures textures
        mkdir pictures
        n=0
        for size in $sizes; do
            n=$((n + 1))
            [[ " $(efforts_at "$codec" $size) " != *" $effort "* ]] || cp $size.png pictures/$n-$size.png
        done
        [ -n "$(ls pictures)" ] || continue
        texture pictures textures --codec "$codec" --effort $effort --container "$kind"
        for picture in pictures/*; do
            name=${picture#*/} name=${name%.png} size=${name#*-}
            file=${codec}_${effort}_$size.$kind
            grep -q "^textures/$name.$kind: $size, $codec at effort $effort, " stdout.txt || fail "$file: $(cat stdout.txt)"
            mv "textures/$name.$kind" "$file"
        done
    done
done
for size in $sizes; do
    columns=$(((${size%x*} + 3) / 4)) rows=$(((${size#*x} + 3) / 4))
    for codec in $codecs; do
        least=$(floor "$codec" $size)
        declare -A value=()
        for effort in $(efforts_at "$codec" $size); do
            file=${codec}_${effort}_$size.$(ending "$codec")
            [ "$(ending "$codec")" != dds ] ||
                expect_dds "$file" $size "$(four_cc "$codec")" $((128 + columns * rows * $(block_size "$codec")))
            value[$effort]=$(texture_psnr "$file" $size.png "$codec")
            at_least "${value[$effort]}" "$least" || fail "$file: ${value[$effort]} dB, and $least are wanted"
            printf '%s: %s dB (at least %s)\n' "$file" "${value[$effort]}" "$least"
        done
        for pair in "default fast" "high default" "high fast"; do
            [ ${#value[@]} = 3 ] || continue
            read -r better worse <<<"$pair"
            awk -v b="${value[$better]}" -v w="${value[$worse]}" \
                'BEGIN { exit !(b == "inf" || (w != "inf" && b + 0 >= w - 0.05)) }' ||
                fail "$codec at $size: effort $better has ${value[$better]} dB, $worse ${value[$worse]}"
        done
    done
done
# One picture, alone.
texture 257x129.png alone.dds
grep -q "^alone.dds: 257x129, bc1 at effort default, " stdout.txt || fail "$(cat stdout.txt)"
cmp alone.dds bc1_default_257x129.dds || fail "a picture of a folder becomes another texture"

# The judge sees blocks that are one place off, at each of the sizes in turn, and blocks of another codec.
displaced_sizes=(60x48 30x18 257x129) turn=0
for codec in $codecs; do
    size=${displaced_sizes[turn++ % 3]}
    good=${codec}_default_$size.$(ending "$codec") header=128
    [ "$(ending "$codec")" = dds ] || header=$(od -An -t u4 -j 80 -N 4 "$good" | xargs)
    { head -c "$header" "$good"; tail -c "$(block_size "$codec")" "$good"; tail -c +$((header + 1)) "$good"; } |
        head -c "$(stat -c %s "$good")" >displaced
    ! at_least "$(texture_psnr displaced $size.png "$codec")" "$(floor "$codec" $size)" ||
        fail "$good with its blocks displaced passes"
done
{ head -c 128 bc4_default_257x129.dds; tail -c +129 bc1_default_257x129.dds; } >other.dds
! at_least "$(texture_psnr other.dds 257x129.png bc4)" "$(floor bc4 257x129)" || fail "blocks of BC1 pass for BC4"

# All combinations, of a codec that has that effort.
texture 30x18.png all.dds --codec bc4 --effort exhaustive
at_least "$(texture_psnr all.dds 30x18.png bc4)" "$(texture_psnr bc4_high_30x18.dds 30x18.png bc4)" ||
    fail "effort exhaustive of bc4 is worse than high"
expect_status 2 "--effort exhaustive: bc1 takes default, fast, high" "$weir" texture 30x18.png out.dds --effort exhaustive

# sRGB is a mark, and no more.
texture 60x48.png marked.dds --srgb
grep -q "bc1_rgb_srgb" stdout.txt || fail "no word of sRGB in $(cat stdout.txt)"
expect_dds marked.dds 60x48 DX10 $((148 + 15 * 12 * 8))
[ "$(od -An -t u4 -j 128 -N 4 marked.dds | xargs)" = 72 ] || fail "marked.dds does not say that it is sRGB"
cmp -s <(tail -c +149 marked.dds) <(tail -c +129 bc1_default_60x48.dds) || fail "--srgb changes blocks"

# 16 bits are rounded to 8: 25828 of 65535 is 100.498 of 255, and 25829 is 100.502.
for value in '\344d 100' '\345d 101'; do
    word=${value% *}
    # shellcheck disable=SC2059
    printf "$word$word$word" | ffmpeg -v error -y -f rawvideo -s 1x1 -pix_fmt rgb48le -i pipe: deep.png
    texture deep.png deep.dds --codec bc5
    got=$(ffmpeg -nostdin -v error -i deep.dds -f rawvideo -pix_fmt rgba - | od -An -t u1 -N 2 | xargs)
    [ "$got" = "${value#* } ${value#* }" ] || fail "16 bits became $got and should be ${value#* }"
done

# Alpha: what is opaque is not lost, what is not is told.
ffmpeg -nostdin -v error -y -i 60x48.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'" alpha.png
ffmpeg -nostdin -v error -y -i 60x48.png -pix_fmt rgba opaque.png
texture opaque.png opaque.dds --strict
cmp opaque.dds bc1_default_60x48.dds || fail "an opaque alpha changes blocks"
expect_status 0 "warning: alpha.png: its alpha is left out: bc1 has none" "$weir" texture alpha.png alpha.dds
at_least "$(texture_psnr alpha.dds 60x48.png bc1)" "$(floor bc1 60x48)" || fail "alpha.dds lost its colours"
texture alpha.png alpha3.dds --codec bc3 --strict
alpha=$(ffmpeg -nostdin -hide_banner -i alpha3.dds -i alpha.png -f null - \
    -lavfi "[0]format=rgba,extractplanes=a[a];[1]extractplanes=a[b];[a][b]psnr" 2>&1 |
    sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p')
at_least "$alpha" 48 || fail "alpha3.dds: alpha has $alpha dB"
at_least "$(texture_psnr alpha3.dds 60x48.png bc3)" "$(floor bc3 60x48)" || fail "alpha3.dds lost its colours"
for codec in bc1 bc4 bc5; do
    expect_status 1 "alpha.png has alpha, and $codec has none" \
        "$weir" texture alpha.png out.dds --codec $codec --strict
done

# Options of BC1: black texels beside colours, and the means of 8x8 texels of a soft slope.
make art.png "color=black:s=128x96:r=1:d=1,format=gbrp,geq=r='if(mod(floor(X/3)+floor(Y/3)\,3)\,40+50*mod(floor(X/7)*floor(Y/5)\,5)\,0)':g='if(mod(floor(X/3)+floor(Y/3)\,3)\,200-30*mod(floor(X/9)\,6)\,0)':b='if(mod(floor(X/3)+floor(Y/3)\,3)\,90\,0)'" \
    -frames:v 1 -pix_fmt rgb24
make slope.png "nullsrc=s=512x64:r=1:d=1,format=gbrp,geq=r='trunc(90+X/12)':g='trunc(90+X/12)':b='trunc(90+X/12)'" \
    -frames:v 1 -pix_fmt rgb24
texture art.png art.ktx2
texture art.png black.ktx2 --bc1-black
"$weir" texture --decode art.ktx2 art_plain.png >/dev/null
"$weir" texture --decode black.ktx2 art_black.png >/dev/null
plain=$(psnr art_plain.png art.png) black=$(psnr art_black.png art.png)
at_least "$black" "$(awk -v p="$plain" 'BEGIN { print p + 8 }')" || fail "--bc1-black: $black dB, and $plain without"
values() {
    ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -t u1 -w3
}
mean_error() { # of means of 8x8 texels, RMS [codes]
    paste <(values "$1") <(values slope.png) | awk '
        { i = NR - 1; block = int(i % 512 / 8) "," int(i / 512 / 8); for (c = 1; c <= 3; c++) sum[block, c] += $c - $(c + 3) }
        END { for (b in sum) { square += (sum[b] / 64) ^ 2; n++ } print sqrt(square / n) }'
}
for codec in bc1 bc1a bc3; do
    texture slope.png plain.ktx2 --codec $codec
    texture slope.png dither.ktx2 --codec $codec --bc1-dither
    for name in plain dither; do
        "$weir" texture --decode $name.ktx2 $name.png >/dev/null
    done
    plain=$(mean_error plain.png) dither=$(mean_error dither.png)
    printf '%s: means are %s codes off, with --bc1-dither %s\n' $codec "$plain" "$dither"
    at_least "$plain" "$(awk -v d="$dither" 'BEGIN { print 1.3 * d }')" || fail "--bc1-dither brings no nearer means of $codec"
done
# FFmpeg's decoder drops fractions: by it the slope is nearer when it is encoded for it.
texture slope.png plain.dds --decoder gpu
texture slope.png ffmpeg.dds --decoder ffmpeg
plain=$(psnr plain.dds slope.png) ffmpeg=$(psnr ffmpeg.dds slope.png)
printf 'decoded by FFmpeg: %s dB, with --decoder ffmpeg %s\n' "$plain" "$ffmpeg"
at_least "$ffmpeg" "$(awk -v p="$plain" 'BEGIN { print p + 4 }')" || fail "--decoder ffmpeg gains too little"
expect_status 2 "decoder: it is for bc1, bc1a and bc3" "$weir" texture art.png out.ktx2 --codec bc4 --decoder ffmpeg
expect_status 1 "decoder: art.ktx2 is a texture already" "$weir" texture art.ktx2 out.ktx2 --decoder ffmpeg
expect_status 0 "warning: --bc1-black: DDS files have no BC1 without alpha" "$weir" texture art.png art.dds --bc1-black
expect_status 2 "bc1-black: it is for bc1; leave it out" "$weir" texture art.png out.ktx2 --codec bc1a --bc1-black
expect_status 2 "bc1-dither: it is for bc1, bc1a and bc3" "$weir" texture art.png out.ktx2 --codec bc7 --bc1-dither
expect_status 1 "bc1-black" "$weir" texture art.ktx2 out.ktx2 --bc1-black
expect_status 2 "no other option" "$weir" texture --decode art.ktx2 out.png --bc1-dither
expect_no out.ktx2 out.png

# The command line.
expect_status 2 'unknown codec "dxt9"; known: bc1, ' "$weir" texture 60x48.png out.dds --codec dxt9
expect_status 2 'unknown effort "best"; known: default, fast, high, exhaustive' "$weir" texture 60x48.png out.dds --effort best
expect_status 2 "1 argument instead of 2" "$weir" texture 60x48.png
expect_status 2 "out.png: the output is a texture, its name ends in .ktx2, .dds or .ktx" "$weir" texture 60x48.png out.png
expect_status 2 "its name ends in .ktx2" "$weir" texture 60x48.png .dds
expect_status 2 "srgb: bc4 holds no sRGB codes" "$weir" texture 60x48.png out.dds --codec bc4 --srgb
expect_status 2 "srgb: bc5 holds no sRGB codes" "$weir" texture 60x48.png out.dds --codec bc5 --srgb
expect_status 2 "dds files have no name for eac_r11_unorm; write a .ktx2" "$weir" texture 60x48.png out.dds --codec eac_r11
expect_status 2 "metric log: it is for bc6h and bc6h_signed, not for bc1" "$weir" texture 60x48.png out.dds --metric log
expect_status 2 "unknown metric" "$weir" texture 60x48.png out.dds --codec bc6h --metric decibel
expect_status 2 "unknown container" "$weir" texture 60x48.png out.dds --container pvr
expect_status 2 "its ending is not that of --container" "$weir" texture 60x48.png out.dds --container ktx2
expect_status 2 "--mip: it is for --decode" "$weir" texture 60x48.png out.dds --mip 1
expect_status 1 "no.*device" "$weir" texture 60x48.png out.dds --device 99
expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" texture 60x48.png out.dds
texture 60x48.png UPPER.DDS
cmp UPPER.DDS bc1_default_60x48.dds || fail "an ending in capitals changes the file"

# Input.
: >empty.png
head -c $(($(stat -c %s 60x48.png) / 2)) 60x48.png >cut.png
make light.exr testsrc2=s=16x16:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
expect_status 1 "missing.png: No such file" "$weir" texture missing.png out.dds
expect_status 1 "empty.png is empty" "$weir" texture empty.png out.dds
expect_status 1 "cut.png: .*cut short" "$weir" texture cut.png out.dds
expect_status 1 "light.exr holds linear light, and bc1 holds codes" "$weir" texture light.exr out.dds
expect_no out.dds out.png
make dark.exr "nullsrc=s=36x20:r=1:d=1,format=gbrpf32le,geq=r='0.0004*(X+Y)':g='exp(X/4)':b='random(1)'" -frames:v 1
for metric in octaves log; do
    texture dark.exr $metric.ktx2 --codec bc6h --effort fast --metric $metric
done
! cmp -s octaves.ktx2 log.ktx2 || fail "--metric log gives the blocks of octaves"

# Output: what was there is replaced by a whole file, or stays.
expect_status 1 "no_folder/out.dds': No such file" "$weir" texture 60x48.png no_folder/out.dds
mkdir folder.dds # is a folder all the same
"$weir" texture 60x48.png folder.dds >stdout.txt 2>stderr.txt || fail "a folder with an ending: $(cat stderr.txt)"
[ "$(ls folder.dds)" = 60x48.ktx2 ] || fail "a texture for a folder is $(ls folder.dds)"
printf before >older.dds
expect_status 1 "older.dds' after 0 bytes" limited 2 "$weir" texture 60x48.png older.dds --codec bc5
expect_status 1 "missing.png" "$weir" texture missing.png older.dds
[ "$(cat older.dds)" = before ] || fail "a failure took the file that was there"
texture 60x48.png older.dds
cmp older.dds bc1_default_60x48.dds || fail "the file that was there was not replaced"
ln -s older.dds link.dds
expect_status 1 "older.dds is the input itself" "$weir" texture older.dds older.dds
expect_status 1 "link.dds is the input itself" "$weir" texture older.dds link.dds
cmp older.dds bc1_default_60x48.dds || fail "the input was changed"
expect_no no_folder x.dds
[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
