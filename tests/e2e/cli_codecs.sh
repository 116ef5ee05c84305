#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --codec: every kind of HAP, with alpha, chunks and padding, judged by ffmpeg where it decodes the codec.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

declare -A tags=([hap_q]=HapY [hap]=Hap1 [hap_alpha]=Hap5 [hap_q_alpha]=HapM [hap_alpha_only]=HapA [hap_r]=Hap7 [hap_hdr]=HapH)
declare -A depths=([hap_q]=24 [hap]=24 [hap_alpha]=32 [hap_q_alpha]=32 [hap_alpha_only]=24 [hap_r]=32 [hap_hdr]=24)

# depth FILE: of the sample description, which lies 82 bytes behind its FourCC's box begins.
depth() {
    local at
    at=$(grep -abo stsd "$1" | tail -n 1 | cut -d: -f1)
    od -An -t u1 -j $((at + 12 + 82)) -N 2 "$1" | awk '{ print $1 * 256 + $2 }'
}

# expect_codec FILE CODEC WIDTH HEIGHT FRAMES
expect_codec() {
    local what want="${tags[$2]},$3,$4,$5"
    what=$(ffprobe -v error -select_streams v:0 -count_packets -of csv=p=0 \
        -show_entries stream=codec_tag_string,width,height,nb_read_packets "$1")
    [ "$what" = "$want" ] || fail "$1 is $what and should be $want"
    [ "$(depth "$1")" = "${depths[$2]}" ] || fail "$1 has the depth $(depth "$1") and should have ${depths[$2]}"
    case $2 in
    hap_r | hap_hdr) ;;
    *) [ "$(field "$1" nb_read_frames)" = "$5" ] || fail "$1 does not decode: $(field "$1" nb_read_frames)" ;;
    esac
}

# compare MOVIE FILTER SOURCE FILTER: PSNR of the planes that the filters leave, all frames together [dB].
compare() {
    ffmpeg -nostdin -hide_banner -i "$1" -i "$3" -lavfi \
        "[0]settb=1/1000,setpts=N,$2[a];[1]settb=1/1000,setpts=N,$4[b];[a][b]psnr" -f null - 2>&1 |
        sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p'
}

# expect_alpha MOVIE SOURCE BOUND: the alpha of a movie is that of its source.
expect_alpha() {
    local filter=format=rgba,alphaextract value
    [ "$(field "$1" pix_fmt)" != gray ] || filter=format=gray
    value=$(compare "$1" $filter "$2" format=rgba,alphaextract)
    at_least "$value" "$3" || fail "$1: alpha has $value dB, and $3 are wanted"
    printf '%s: alpha %s dB (at least %s)\n' "$1" "$value" "$3"
}

rgb=scale=in_h_chr_pos=0:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=gbrp
expect_color() {
    local value
    value=$(compare "$1" format=rgb24,$rgb "$2" format=rgb24,$rgb)
    at_least "$value" "$3" || fail "$1: $value dB, and $3 are wanted"
    printf '%s: %s dB (at least %s)\n' "$1" "$value" "$3"
}

# Every codec, with a source that has slopes and edges of alpha; stored, in one piece, in chunks. Its colours do not
# depend on its alpha, as alpha is straight.
make straight.mov "testsrc2=s=196x116:r=25:d=0.16,format=rgba,gblur=sigma=1,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':\
a='if(lt(mod(X,49),25),255*Y/H,if(lt(mod(Y,29),9),0,255))'" -c:v qtrle -pix_fmt argb
declare -A bars=([hap_q]=33.5 [hap]=33.5 [hap_alpha]=33.5 [hap_q_alpha]=33.5)
for codec in hap_q hap hap_alpha hap_q_alpha hap_alpha_only hap_r; do
    hows=("" "--compression snappy --chunks 7")
    [ $codec != hap_q_alpha ] || hows+=("--compression snappy" "--compression snappy --chunks auto")
    for how in "${hows[@]}"; do
        # shellcheck disable=SC2086
        "$weir" transcode straight.mov $codec.mov --codec $codec --effort fast $how 2>messages.txt
        expect_codec $codec.mov $codec 196 116 4
        grep -q "$codec.mov: 4 frames, 196x116, ${tags[$codec]}, " messages.txt || fail "$codec: $(cat messages.txt)"
        case $codec in
        hap_q | hap) grep -q "alpha is left out" messages.txt || fail "$codec: alpha was left out in silence" ;;
        *) [ "$(wc -l <messages.txt)" = 2 ] || fail "$codec says $(cat messages.txt)" ;;
        esac
        [ -z "${bars[$codec]:-}" ] || expect_color $codec.mov straight.mov "${bars[$codec]}"
        case $codec in hap_alpha | hap_q_alpha | hap_alpha_only) expect_alpha $codec.mov straight.mov 44 ;; esac
    done
    # What ffmpeg does not decode is read as an input all the same.
    if [ $codec = hap_r ]; then
        "$weir" transcode hap_r.mov read.mov --codec hap_alpha --effort fast --quiet
        expect_codec read.mov hap_alpha 196 116 4
        expect_color read.mov straight.mov 33
        expect_alpha read.mov straight.mov 40
    fi
    # Cut in its index, it is made whole again.
    head -c $(($(stat -c %s $codec.mov) - 40)) $codec.mov >cut.mov
    rm -f back.mov
    grep -q "\"codec\": \"$codec\"" <<<"$("$weir" recover cut.mov back.mov --json)" || fail "recover does not name $codec"
    expect_codec back.mov $codec 196 116 4
done

# blocks MOVIE: of its first packet, which is stored, with a header of four bytes.
blocks() {
    local size pos
    IFS=, read -r size pos < <(ffprobe -v error -select_streams v:0 -show_entries packet=pos,size -of csv=p=0 "$1")
    tail -c +$((pos + 5)) "$1" | head -c $((size - 4))
}

# What ffmpeg does not decode has the blocks that weir texture makes. Light is not clipped, nor encoded as sRGB.
make light.exr "testsrc2=s=68x36:r=1:d=1,format=gbrpf32le,exposure=exposure=3:black=0.02" -frames:v 1
make code.png "testsrc2=s=68x36:r=1:d=1,format=rgba,colorchannelmixer=aa=0.7" -frames:v 1
"$weir" transcode light.exr light.mov --codec hap_hdr --effort fast --quiet
"$weir" transcode code.png code.mov --codec hap_r --effort fast --quiet
expect_codec light.mov hap_hdr 68 36 1
expect_codec code.mov hap_r 68 36 1
[ "$(ffprobe -v error -show_entries stream=color_transfer -of csv=p=0 light.mov)" = linear ] || fail "hap_hdr is not linear"
"$weir" texture light.exr light.dds --codec bc6h --effort fast >/dev/null
"$weir" texture code.png code.dds --codec bc7 --effort fast >/dev/null
for name in light code; do
    cmp <(blocks $name.mov) <(tail -c $((17 * 9 * 16)) $name.dds) || fail "$name.mov has other blocks than $name.dds"
done
for name in light.exr light.mov; do
    "$weir" transcode $name "$name.mov" --effort fast --quiet
done
expect_color light.mov.mov light.exr.mov 22 # of hard edges, eight times as bright as white
"$weir" transcode light.mov again.mov --codec hap_hdr --effort fast --quiet
expect_codec again.mov hap_hdr 68 36 1

# A damaged frame is left out.
cp hap_r.mov damaged.mov
pos=$(ffprobe -v error -select_streams v:0 -show_entries packet=pos -of csv=p=0 damaged.mov | sed -n 2p)
head -c 600 /dev/zero | tr '\0' '\377' | dd of=damaged.mov bs=1 seek=$((pos + 200)) conv=notrunc status=none
expect_status 0 "damaged part" "$weir" transcode damaged.mov mended.mov
[ "$(field mended.mov nb_read_frames)" = 3 ] || fail "mended.mov has $(field mended.mov nb_read_frames) frames"
mkdir lights
cp light.exr lights/1.exr
make lights/2.exr "testsrc2=s=64x36:r=1:d=1,format=gbrpf32le" -frames:v 1
for number in 3 4 5 6; do cp lights/2.exr lights/$number.exr; done
expect_status 1 "lights: frames of linear light cannot be scaled" "$weir" transcode lights x.mov --codec hap_hdr --effort fast
[ "$(grep -c "cannot be scaled" stderr.txt)" = 1 ] || fail "one frame is refused, and told: $(cat stderr.txt)"
expect_codec x.mov hap_hdr 68 36 1
rm x.mov

# modes FILE: the graphics modes of its tracks, that of the movie as it grew and that of the movie as it was closed.
modes() {
    local at
    grep -abo vmhd "$1" | cut -d: -f1 | while read -r at; do
        od -An -t u1 -j $((at + 8)) -N 2 "$1" | awk '{ printf "%d ", $1 * 256 + $2 }'
    done
}

# Alpha is straight, or multiplied into the codes of colours, and the movie says which. Where alpha is 0 straight
# colours are any, so what is compared is multiplied by ffmpeg.
over=format=gbrap,premultiply=inplace=1,format=gbrap,extractplanes=g
ffmpeg -nostdin -v error -y -i straight.mov -vf format=gbrap,premultiply=inplace=1,format=argb -c:v qtrle multiplied.mov
for input in straight multiplied; do
    given=() own=$over
    [ $input = straight ] || given=(--input-alpha premultiplied) own=format=gbrap,extractplanes=g
    "$weir" transcode $input.mov kept.mov --codec hap_alpha --effort fast --quiet "${given[@]}"
    "$weir" transcode $input.mov on_black.mov --codec hap_q_alpha --effort fast --quiet --premultiplied "${given[@]}"
    [ "$(modes kept.mov)" = "256 256 " ] || fail "the modes of straight alpha are $(modes kept.mov)"
    [ "$(modes on_black.mov)" = "258 258 " ] || fail "the modes of premultiplied alpha are $(modes on_black.mov)"
    for pair in "kept.mov $over" "on_black.mov format=gbrap,extractplanes=g"; do
        # shellcheck disable=SC2086
        value=$(compare $pair $input.mov $own)
        awk -v v="$value" 'BEGIN { exit !(v != "" && v + 0 >= 31) }' || fail "$input, $pair: $value dB"
        printf '%s as %s: %s dB (at least 31)\n' $input "${pair%% *}" "$value"
    done
done
"$weir" transcode straight.mov opaque.mov --quiet --effort fast 2>/dev/null
[ "$(modes opaque.mov)" = "0 0 " ] || fail "the modes without alpha are $(modes opaque.mov)"

# The light of floats is divided before it becomes codes: 0.25 of 0.5 is 0.5, which is code 188. swscale takes alpha of
# 16 bits for a code more in the middle.
mixer=colorchannelmixer=rr=0.25:gg=0.25:bb=0.25:aa=0.5
make light_alpha.exr "color=white:s=16x16:r=1:d=1,format=rgba,$mixer,format=gbrapf32le" -frames:v 1
# That is how OpenEXR has it by its specification; straight is what was asked for.
for light in "premultiplied 186 190" "auto 186 190" "straight 133 141"; do
    # shellcheck disable=SC2086
    set -- $light
    "$weir" transcode light_alpha.exr light_alpha.mov --codec hap_alpha --effort fast --input-alpha "$1" --quiet
    texel=$(ffmpeg -nostdin -v error -i light_alpha.mov -f rawvideo -pix_fmt rgba - | head -c 4 | od -An -t u1)
    awk -v t="$texel" -v a="$2" -v b="$3" 'BEGIN { split(t, c, " "); exit !(c[1] >= a && c[1] <= b && c[4] >= 128 && c[4] <= 129) }' ||
        fail "light of 0.25 over an alpha of 0.5, $1, became $texel"
done

# As a texture without alpha: the straight colours, or what lies over black.
for light in "straight 0.49 0.51" "ignore 0.24 0.26"; do
    # shellcheck disable=SC2086
    set -- $light
    "$weir" texture light_alpha.exr light_alpha.ktx2 --codec bc6h --effort fast --alpha "$1" >/dev/null 2>&1
    "$weir" texture light_alpha.ktx2 light_alpha.pfm --decode >/dev/null
    texel=$(tail -c 4 light_alpha.pfm | od -An -t f4)
    awk -v t="$texel" -v a="$2" -v b="$3" 'BEGIN { exit !(t + 0 >= a && t + 0 <= b) }' ||
        fail "light of 0.25 over an alpha of 0.5, --alpha $1, became a texture of $texel"
done

# A source without alpha is opaque in codecs that have some.
make opaque.mkv testsrc2=s=66x34:r=25:d=0.08 -c:v ffv1 -pix_fmt bgr0
for codec in hap_alpha hap_q_alpha hap_alpha_only; do
    "$weir" transcode opaque.mkv opaque.mov --codec $codec --quiet --effort fast
    expect_alpha opaque.mov opaque.mkv inf
done

# Padded: the frame with its last row and column again.
make odd.png "testsrc2=s=66x34:r=1:d=1,crop=63:33:0:0,format=rgb24" -frames:v 1
"$weir" transcode odd.png odd.mov --effort fast --decoder ffmpeg
expect_status 0 "padded.mov: 1 frame, 64x36 (padded from 63x33), HapY" "$weir" transcode odd.png padded.mov --effort fast --pad 4 --decoder ffmpeg
expect_codec odd.mov hap_q 63 33 1
expect_codec padded.mov hap_q 64 36 1
value=$(compare padded.mov crop=63:33:0:0,format=gbrp odd.mov format=gbrp)
[ "$value" = inf ] || fail "a padded movie shows another picture: $value dB"
ffmpeg -nostdin -v error -y -i odd.png -vf "pad=64:36:0:0,fillborders=right=1:bottom=3:mode=smear" border.png
expect_color padded.mov border.png 30
expect_status 0 "whole.mov: 4 frames, 196x116, " "$weir" transcode straight.mov whole.mov --pad 4 --effort fast
echo passed
