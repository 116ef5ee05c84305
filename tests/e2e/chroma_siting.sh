#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where chroma samples lie, as the input says it: zimg with the same filter is the judge. (unit_rgb has the other formats,
# odd sides and fields.)
# bash chroma_siting.sh WEIR FOLDER ROWS, where ROWS is rows.c
source "$(dirname "$0")/cli_common.sh"
rows=$3
[[ $(ffmpeg -hide_banner -filters 2>/dev/null) == *" zscale "* ]] || skip "this ffmpeg has no zscale, and it is the judge"
width=320 height=192

# The filter is swscale's bicubic one; edges, where the two continue the picture in other ways, do not count.
kernel="filter=bicubic:param_a=0:param_b=0.6" margin=8
matrix=709 range=limited # of the inputs

# A start of ffmpeg takes longer than a picture: files are made many at a time.
inputs=() outputs=() num_inputs=0

# later INPUT OPTIONS... -- OUTPUT OPTIONS...: what make_all will make.
later() {
    local word side=in
    for word in "$@"; do
        case $side$word in
        in--) side=out outputs+=(-map $num_inputs) ;;
        in*) inputs+=("$word") ;;
        *) outputs+=("$word") ;;
        esac
    done
    num_inputs=$((num_inputs + 1))
}

make_all() {
    ffmpeg -nostdin -v error -y "${inputs[@]}" "${outputs[@]}" || fail "ffmpeg did not make ${outputs[*]}"
    inputs=() outputs=() num_inputs=0
}

# raw_of FORMAT: sets `options`, of an input that is raw.
raw_of() { options=(-f rawvideo -pix_fmt "$1" -s ${width}x$height); }

# Colours that change in both directions, and pictures with hard edges of saturated colours.
pictures="ramp bars fractal text"
picture() {
    later -f lavfi -i "$2" -- -frames:v 1 -vf format=rgb24 -f rawvideo "$1.8.raw"
}
ramp="nullsrc=s=${width}x$height,format=gbrp,geq=r=X*255/$width:g=255-(X+Y)*255/$((width + height)):b=Y*255/$height"
picture ramp "$ramp"
picture bars "testsrc2=s=${width}x$height"
picture fractal "mandelbrot=s=${width}x$height"
picture text "color=0x204080:s=${width}x$height,drawtext=text='Weir, left of centre':fontsize=28:fontcolor=yellow:x=10:y=20,drawtext=text='in red and in blue':fontsize=18:fontcolor=red:x=30:y=90"
make_all

# subsample PICTURE FORMAT LOCATION: later raw YUV of a picture by zimg, PICTURE.FORMAT.LOCATION.yuv.
subsample() {
    raw_of rgb24
    later "${options[@]}" -i "$1.8.raw" -- -vf "format=gbrp,zscale=c=$3:m=709:r=limited:filter=bicubic,format=$2" \
        -f rawvideo "$1.$2.$3.yuv"
}

# encode PICTURE FORMAT LOCATION OPTIONS... OUTPUT: later a movie of that.
encode() {
    raw_of "$2"
    later "${options[@]}" -i "$1.$2.$3.yuv" -- "${@:4}"
}

# like_zimg INPUT LOCATION PICTURE: the first frame of a movie, against what zimg makes of it with that location and
# against the picture.
pairs=()
like_zimg() {
    later -i "$1" -- -vf "zscale=cin=$2:rin=$range:min=$matrix:m=gbr:r=full:$kernel,format=gbrp" \
        -frames:v 1 -f rawvideo -pix_fmt rgb24 "$1.zimg.raw"
    pairs+=("$1" "$1.zimg.raw" 8 "$1" "$3.8.raw" 8 "$1.zimg.raw" "$3.8.raw" 8)
}

# compare: of all pairs, found.txt has "A B LARGEST DB", and coding.txt how the inputs are coded.
compare() {
    "$rows" $width $height $margin "${pairs[@]}" >said.txt 2>messages.txt || fail "not all is read: $(cat messages.txt)"
    grep ': ' said.txt >coding.txt || true
    grep -v ': ' said.txt >found.txt
    pairs=()
}

# expect_like_zimg: all since the last time. Of a ramp frames are zimg's to a code, and of no picture much worse.
expect_like_zimg() {
    make_all
    compare
    paste -d ' ' - - - <found.txt |
        awk '{ print $1 ": " $3 " of zimg; " $8 " dB of " $6 ", zimg " $12 }
            $6 ~ /^ramp/ && $3 > 1 || $8 < $12 - 0.2 { bad = 1 } END { exit bad || NR == 0 }' >beside.txt ||
        fail "frames are not zimg's: $(cat beside.txt)"
    cat beside.txt
}

# What is made of the pictures below.
locations="left center topleft top bottomleft bottom"
for location in $locations; do
    for picture in $pictures; do
        subsample $picture yuv420p $location
    done
done
make_all

# All six locations, as H.264 says them, without loss.
number=0
for location in $locations; do
    for picture in $pictures; do
        encode $picture yuv420p $location -c:v libx264 -qp 0 -preset ultrafast -colorspace bt709 \
            -bsf:v h264_metadata=chroma_sample_loc_type=$number $picture.$location.mp4
    done
    number=$((number + 1))
done

make_all

for picture in $pictures; do
    for location in $locations; do
        like_zimg $picture.$location.mp4 $location $picture
    done
done
expect_like_zimg

# What decoders say, and what is left where neither they nor the container do.
coded=()
# coded NAME WORD LOCATION OPTIONS...: a movie of that codec is told and taken so.
coded() {
    encode bars yuv420p left "${@:4}" "$1"
    coded+=("$1 $matrix $range $3 $2")
}
coded default.mp4 left left -c:v libx264 -qp 0 -colorspace bt709
matrix=170m # of small movies that say none
coded default.mpg left left -c:v mpeg2video -q:v 1
coded first.mpg center center -c:v mpeg1video -q:v 1
coded default.nut "left (assumed)" left -c:v ffv1 -strict 1
range=full
coded full.mkv "center (assumed)" center -c:v ffv1 -strict 1 -color_range pc
coded full.jpg center center -frames:v 1 -q:v 2 -pix_fmt yuvj420p
range=limited
coded still.webp center center -frames:v 1 -c:v libwebp -q:v 100 # whose decoder in FFmpeg says nothing
make_all
for movie in "${coded[@]}"; do
    read -r name matrix range location _ <<<"$movie"
    like_zimg "$name" "$location" bars
done
expect_like_zimg
for movie in "${coded[@]}"; do
    read -r name _ _ _ word <<<"$movie"
    grep -q "^$name: .*chroma $word," coding.txt || fail "$name is not told as $word: $(cat coding.txt)"
done

# WebP as libwebp shows it.
if command -v convert >/dev/null && [[ $(convert -list format 2>/dev/null) == *WEBP* ]]; then
    convert still.webp -depth 8 rgb:libwebp.raw
    pairs=(still.webp bars.8.raw 8 libwebp.raw bars.8.raw 8)
    compare
    awk 'NR == 1 { own = $4 } END { exit !(NR == 2 && own >= $4 - 0.2) }' found.txt || fail "still.webp and libwebp: $(cat found.txt)"
fi
