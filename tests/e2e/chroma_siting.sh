#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where chroma samples lie, as the input says it: zimg with the same filter is the judge.
source "$(dirname "$0")/cli_common.sh"
rows=$3 difference=$4
[[ $(ffmpeg -hide_banner -filters 2>/dev/null) == *" zscale "* ]] || skip "this ffmpeg has no zscale, and it is the judge"
width=320 height=192

# The filter is swscale's bicubic one; edges, where the two continue the picture in other ways, do not count.
kernel="filter=bicubic:param_a=0:param_b=0.6" margin=8
matrix=709 range=limited # of the inputs

raw() {
    ffmpeg -nostdin -v error -y "$@" || fail "ffmpeg did not make ${*: -1}"
}

# Colours that change in both directions, and pictures with hard edges of saturated colours.
raw -f lavfi -i "nullsrc=s=${width}x$height,format=gbrp,geq=r=X*255/$width:g=255-(X+Y)*255/$((width + height)):b=Y*255/$height" \
    -frames:v 1 -f rawvideo -pix_fmt rgb24 ramp.rgb
raw -f lavfi -i "testsrc2=s=${width}x$height" -frames:v 1 -f rawvideo -pix_fmt rgb24 bars.rgb
raw -f lavfi -i "mandelbrot=s=${width}x$height" -frames:v 1 -f rawvideo -pix_fmt rgb24 fractal.rgb
raw -f lavfi -i "color=0x204080:s=${width}x$height,drawtext=text='Weir, left of centre':fontsize=28:fontcolor=yellow:x=10:y=20,drawtext=text='in red and in blue':fontsize=18:fontcolor=red:x=30:y=90" \
    -frames:v 1 -f rawvideo -pix_fmt rgb24 text.rgb
pictures="ramp bars fractal text"

# measure A B BYTES: "LARGEST DB"
measure() {
    "$difference" "$1" "$2" $width $height "$3" $margin
}

# subsample PICTURE FORMAT LOCATION: raw YUV of a picture by zimg.
subsample() {
    raw -f rawvideo -pix_fmt rgb24 -s ${width}x$height -i "$1.rgb" -vf \
        "format=gbrp,zscale=c=$3:m=709:r=limited:filter=bicubic,format=$2" -f rawvideo "$1.yuv"
}

# expect_like_zimg INPUT LOCATION PICTURE [deep]: the first frame of a movie, against what zimg makes of it with that
# location and against the picture.
expect_like_zimg() {
    local bytes=1 format=gbrp packed=rgb24 result own zimg
    if [ "${4:-}" = deep ]; then
        bytes=2 format=gbrp16le packed=rgb48le
    fi
    "$rows" "$1" own.raw ${4:-} 2>coding.txt || fail "$1 is not read: $(cat coding.txt)"
    raw -i "$1" -vf "zscale=cin=$2:rin=$range:min=$matrix:m=gbr:r=full:$kernel,format=$format" \
        -frames:v 1 -f rawvideo -pix_fmt $packed zimg.raw
    result=$(measure own.raw zimg.raw $bytes)
    [ -f "$3.$packed" ] ||
        raw -f rawvideo -pix_fmt rgb24 -s ${width}x$height -i "$3.rgb" -f rawvideo -pix_fmt $packed "$3.$packed"
    own=$(measure own.raw "$3.$packed" $bytes)
    zimg=$(measure zimg.raw "$3.$packed" $bytes)
    printf '%s, %s, %s: %s of zimg; %s dB of the picture, zimg %s\n' "$1" "$2" "$3" "$result" "${own#* }" "${zimg#* }"
    if [ "$3" = ramp ]; then
        awk -v d="${result% *}" 'BEGIN { exit !(d <= 1) }' || fail "$1: $result of zimg's $2"
    fi
    awk -v a="${own#* }" -v b="${zimg#* }" 'BEGIN { exit !(a >= b - 0.2) }' ||
        fail "$1: ${own#* } dB, and ${zimg#* } by zimg's $2"
}

# All six locations, as H.264 says them, without loss.
number=0
for location in left center topleft top bottomleft bottom; do
    for picture in $pictures; do
        subsample $picture yuv420p $location
        raw -f rawvideo -pix_fmt yuv420p -s ${width}x$height -i $picture.yuv -c:v libx264 -qp 0 -preset ultrafast \
            -colorspace bt709 -bsf:v h264_metadata=chroma_sample_loc_type=$number $picture.$location.mp4
        expect_like_zimg $picture.$location.mp4 $location $picture
    done
    number=$((number + 1))
done

# mark LOCATION: the options by which FFmpeg notes it, of the encoder, and since FFmpeg 7 of the frames.
mark() {
    printf -- '-chroma_sample_location %s' "$1"
    [ -z "$frames_have_location" ] || printf ' -vf setparams=chroma_location=%s' "$1"
}
frames_have_location=$(ffmpeg -hide_banner -h filter=setparams 2>/dev/null | grep chroma_location || true)

# Other subsamplings and depths. What does not say its location, as FFV1 in NUT, is left.
for format in yuv422p yuv411p yuv440p yuv444p yuv420p10le yuv422p10le yuv420p12le; do
    deep=
    [[ $format != *le ]] || deep=deep
    for picture in ramp bars; do
        for location in left center; do
            subsample $picture $format $location
            tag=$location
            [ $location = center ] || tag=unspecified
            # shellcheck disable=SC2046
            raw -f rawvideo -pix_fmt $format -s ${width}x$height -i $picture.yuv -c:v ffv1 -strict 1 -colorspace bt709 \
                $(mark $tag) $picture.$format.$location.mkv
            expect_like_zimg $picture.$format.$location.mkv $location $picture $deep
        done
    done
done

# An odd side does not stretch the chroma: but for its edges the picture is that of even sides.
for format in yuv420p yuv422p yuv411p yuv440p yuv420p10le; do
    deep="" packed=rgb24 bytes=1
    [[ $format != *le ]] || deep=deep packed=rgb48le bytes=2
    for picture in bars fractal; do
        subsample $picture $format left
        raw -f rawvideo -pix_fmt $format -s ${width}x$height -i $picture.yuv -c:v ffv1 -strict 1 even.nut
        raw -i even.nut -vf crop=317:189:0:0:exact=1 -c:v ffv1 -strict 1 odd.nut
        "$rows" even.nut even.raw $deep 2>coding.txt
        "$rows" odd.nut odd.raw $deep 2>coding.txt
        raw -f rawvideo -pix_fmt $packed -s ${width}x$height -i even.raw -vf crop=317:189:0:0:exact=1 -f rawvideo cropped.raw
        result=$("$difference" odd.raw cropped.raw 317 189 $bytes $margin)
        [ "${result% *}" = 0.000 ] || fail "$picture of 317x189 in $format: $result of the larger one"
    done
done

# What decoders say, and what is left where neither they nor the container do.
subsample bars yuv420p left
# coded NAME WORD LOCATION OPTIONS...: a movie of that codec is told and taken so.
coded() {
    raw -f rawvideo -pix_fmt yuv420p -s ${width}x$height -r 25 -i bars.yuv "${@:4}" "$1"
    expect_like_zimg "$1" "$3" bars
    grep -q "chroma $2," coding.txt || fail "$1 is not told as $2: $(cat coding.txt)"
}
coded default.mp4 left left -c:v libx264 -qp 0 -colorspace bt709
matrix=170m # of small movies that say none
coded default.mpg left left -c:v mpeg2video -q:v 1
coded first.mpg center center -c:v mpeg1video -q:v 1
coded default.nut "left (assumed)" left -c:v ffv1 -strict 1
range=full
coded full.mkv "center (assumed)" center -c:v ffv1 -strict 1 -color_range pc
coded full.jpg center center -frames:v 1 -q:v 2 -pix_fmt yuvj420p

# WebP, whose decoder in FFmpeg says nothing: as libwebp shows it.
range=limited
coded still.webp center center -frames:v 1 -c:v libwebp -q:v 100
if command -v convert >/dev/null && [[ $(convert -list format 2>/dev/null) == *WEBP* ]]; then
    convert still.webp -depth 8 rgb:libwebp.raw
    own=$(measure own.raw bars.rgb 1) libwebp=$(measure libwebp.raw bars.rgb 1)
    awk -v a="${own#* }" -v b="${libwebp#* }" 'BEGIN { exit !(a >= b - 0.2) }' ||
        fail "still.webp: ${own#* } dB of the picture, libwebp ${libwebp#* }"
fi

# Interlaced: rows of chroma belong to fields. Two ramps, of which one falls where the other rises, are woven; each row is
# as zimg has it in the ramp that it comes from. (Of 10 bits: rows at other distances round in other ways.)
matrix=709
# weave FORMAT SUFFIX OUTPUT: the even rows of ramp.SUFFIX and the odd ones of fall.SUFFIX, of every plane.
weave() {
    raw -f rawvideo -pix_fmt "$1" -s ${width}x$height -i "ramp.$2" -f rawvideo -pix_fmt "$1" -s ${width}x$height -i "fall.$2" \
        -filter_complex "[0]field=top[a];[1]field=bottom,setpts=PTS+1/TB/1000[b];[a][b]interleave,weave=first_field=top" \
        -frames:v 1 -f rawvideo "$3"
}
raw -f rawvideo -pix_fmt rgb24 -s ${width}x$height -i ramp.rgb -vf hflip,vflip -f rawvideo fall.rgb
number=0
for location in left center topleft top bottomleft bottom; do
    for picture in ramp fall; do
        subsample $picture yuv420p10le $location
        raw -f rawvideo -pix_fmt yuv420p10le -s ${width}x$height -i $picture.yuv \
            -vf "zscale=cin=$location:rin=limited:min=709:m=gbr:r=full:$kernel,format=gbrp16le" -f rawvideo -pix_fmt rgb48le $picture.zimg
    done
    weave yuv420p10le yuv woven.yuv
    weave rgb48le zimg woven.rgb
    raw -f rawvideo -pix_fmt yuv420p10le -s ${width}x$height -i woven.yuv -c:v libx264 -qp 0 -preset ultrafast -flags +ildct \
        -x264opts tff -bsf:v h264_metadata=chroma_sample_loc_type=$number:matrix_coefficients=1 woven.mp4
    "$rows" woven.mp4 own.raw deep 2>coding.txt
    result=$(measure own.raw woven.rgb 2)
    printf 'woven, %s: %s of zimg\n' $location "$result"
    awk -v d="${result% *}" 'BEGIN { exit !(d <= 1) }' || fail "fields of $location: $result of zimg"
    number=$((number + 1))
done
