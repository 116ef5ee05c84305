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

# raw_of FORMAT: sets `options`, of an input or an output that is raw.
raw_of() { options=(-f rawvideo -pix_fmt "$1" -s ${width}x$height); }

# Colours that change in both directions, and pictures with hard edges of saturated colours; and a ramp the other way.
pictures="ramp bars fractal text"
picture() {
    later -f lavfi -i "$2" -- -frames:v 1 -vf "format=rgb24${3:-}" -f rawvideo "$1.rgb8" \
        -map $num_inputs -frames:v 1 -vf "format=rgb24${3:-},format=rgb48le" -f rawvideo "$1.rgb16"
}
ramp="nullsrc=s=${width}x$height,format=gbrp,geq=r=X*255/$width:g=255-(X+Y)*255/$((width + height)):b=Y*255/$height"
picture ramp "$ramp"
picture fall "$ramp" ,hflip,vflip
picture bars "testsrc2=s=${width}x$height"
picture fractal "mandelbrot=s=${width}x$height"
picture text "color=0x204080:s=${width}x$height,drawtext=text='Weir, left of centre':fontsize=28:fontcolor=yellow:x=10:y=20,drawtext=text='in red and in blue':fontsize=18:fontcolor=red:x=30:y=90"
make_all

# measure A B BYTES: "LARGEST DB"
measure() {
    "$difference" "$1" "$2" $width $height "$3" $margin
}

# subsample PICTURE FORMAT LOCATION: later raw YUV of a picture by zimg, PICTURE.FORMAT.LOCATION.yuv.
subsample() {
    raw_of rgb24
    later "${options[@]}" -i "$1.rgb8" -- -vf "format=gbrp,zscale=c=$3:m=709:r=limited:filter=bicubic,format=$2" \
        -f rawvideo "$1.$2.$3.yuv"
}

# encode PICTURE FORMAT LOCATION OPTIONS... OUTPUT: later a movie of that.
encode() {
    raw_of "$2"
    later "${options[@]}" -i "$1.$2.$3.yuv" -- "${@:4}"
}

# What is to be like zimg: "INPUT LOCATION PICTURE BITS" a line.
cases=()

# like_zimg INPUT LOCATION PICTURE [FORMAT]: the first frame of a movie, against what zimg makes of it with that location
# and against the picture. FORMAT ends with "le" if it is deep.
like_zimg() {
    local bits=8 format=gbrp packed=rgb24
    if [[ ${4:-} == *le ]]; then
        bits=16 format=gbrp16le packed=rgb48le
    fi
    later -i "$1" -- -vf "zscale=cin=$2:rin=$range:min=$matrix:m=gbr:r=full:$kernel,format=$format" \
        -frames:v 1 -f rawvideo -pix_fmt $packed "$1.zimg"
    cases+=("$1 $2 $3 $bits")
}

expect_like_zimg() {
    local input location picture bits result own zimg words=()
    make_all
    for input in "${cases[@]}"; do
        read -r input location picture bits <<<"$input"
        words+=("$input" "$input.own" "$bits")
    done
    "$rows" "${words[@]}" >coding.txt 2>messages.txt || fail "not all is read: $(cat messages.txt)"
    for input in "${cases[@]}"; do
        read -r input location picture bits <<<"$input"
        result=$(measure "$input.own" "$input.zimg" $((bits / 8)))
        own=$(measure "$input.own" "$picture.rgb$bits" $((bits / 8)))
        zimg=$(measure "$input.zimg" "$picture.rgb$bits" $((bits / 8)))
        printf '%s, %s, %s: %s of zimg; %s dB of the picture, zimg %s\n' "$input" "$location" "$picture" "$result" \
            "${own#* }" "${zimg#* }"
        if [ "$picture" = ramp ]; then
            awk -v d="${result% *}" 'BEGIN { exit !(d <= 1) }' || fail "$input: $result of zimg's $location"
        fi
        awk -v a="${own#* }" -v b="${zimg#* }" 'BEGIN { exit !(a >= b - 0.2) }' ||
            fail "$input: ${own#* } dB, and ${zimg#* } by zimg's $location"
    done
    cases=()
}

# What is made of the pictures below.
locations="left center topleft top bottomleft bottom"
others="yuv422p yuv411p yuv440p yuv444p yuv420p10le yuv422p10le yuv420p12le"
odd="yuv420p yuv422p yuv411p yuv440p yuv420p10le"
for location in $locations; do
    for picture in $pictures; do
        subsample $picture yuv420p $location
    done
    subsample ramp yuv420p10le $location
    subsample fall yuv420p10le $location
done
for format in $others; do
    for picture in ramp bars; do
        subsample $picture $format left
        subsample $picture $format center
    done
done
for format in $odd; do
    subsample bars $format left
    subsample fractal $format left
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

# mark LOCATION: sets `options` by which FFmpeg notes it, of the encoder, and since FFmpeg 7 of the frames.
mark() {
    options=(-chroma_sample_location "$1")
    [ -z "$frames_have_location" ] || options+=(-vf "setparams=chroma_location=$1")
}
frames_have_location=$(ffmpeg -hide_banner -h filter=setparams 2>/dev/null | grep chroma_location || true)

# Other subsamplings and depths. What does not say its location, as FFV1 in NUT, is left.
for format in $others; do
    for picture in ramp bars; do
        for location in left center; do
            tag=$location
            [ $location = center ] || tag=unspecified
            mark $tag
            encode $picture $format $location -c:v ffv1 -strict 1 -colorspace bt709 "${options[@]}" $picture.$format.$location.mkv
        done
    done
done

# Odd sides.
for format in $odd; do
    for picture in bars fractal; do
        encode $picture $format left -c:v ffv1 -strict 1 $picture.$format.even.nut
    done
done
make_all

for picture in $pictures; do
    for location in $locations; do
        like_zimg $picture.$location.mp4 $location $picture
    done
done
for format in $others; do
    for picture in ramp bars; do
        for location in left center; do
            like_zimg $picture.$format.$location.mkv $location $picture $format
        done
    done
done
expect_like_zimg

# An odd side does not stretch the chroma: but for its edges the picture is that of even sides.
for format in $odd; do
    for picture in bars fractal; do
        later -i $picture.$format.even.nut -- -vf crop=317:189:0:0:exact=1 -c:v ffv1 -strict 1 $picture.$format.odd.nut
    done
done
make_all
words=()
for format in $odd; do
    bits=8
    [[ $format != *le ]] || bits=16
    for name in bars.$format fractal.$format; do
        words+=($name.even.nut $name.even.own $bits $name.odd.nut $name.odd.own $bits)
    done
done
"$rows" "${words[@]}" >coding.txt 2>messages.txt
for format in $odd; do
    packed=rgb24
    [[ $format != *le ]] || packed=rgb48le
    raw_of $packed
    for picture in bars fractal; do
        later "${options[@]}" -i $picture.$format.even.own -- -vf crop=317:189:0:0:exact=1 -f rawvideo $picture.$format.cropped
    done
done
make_all
for format in $odd; do
    bytes=1
    [[ $format != *le ]] || bytes=2
    for picture in bars fractal; do
        result=$("$difference" $picture.$format.odd.own $picture.$format.cropped 317 189 $bytes $margin)
        [ "${result% *}" = 0.000 ] || fail "$picture of 317x189 in $format: $result of the larger one"
    done
done

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
    own=$(measure still.webp.own bars.rgb8 1) libwebp=$(measure libwebp.raw bars.rgb8 1)
    awk -v a="${own#* }" -v b="${libwebp#* }" 'BEGIN { exit !(a >= b - 0.2) }' ||
        fail "still.webp: ${own#* } dB of the picture, libwebp ${libwebp#* }"
fi

# Interlaced: rows of chroma belong to fields. Two ramps, of which one falls where the other rises, are woven; each row is
# as zimg has it in the ramp that it comes from. (Of 10 bits: rows at other distances round in other ways.)
for location in $locations; do
    for picture in ramp fall; do
        raw_of yuv420p10le
        later "${options[@]}" -i $picture.yuv420p10le.$location.yuv -- \
            -vf "zscale=cin=$location:rin=limited:min=709:m=gbr:r=full:$kernel,format=gbrp16le" \
            -f rawvideo -pix_fmt rgb48le $picture.$location.zimg
    done
done
make_all

# weave FORMAT EVEN ODD OUTPUT: later the even rows of one and the odd ones of the other, of every plane.
graph=
weave() {
    raw_of "$1"
    inputs+=("${options[@]}" -i "$2" "${options[@]}" -i "$3")
    graph+="[$num_inputs]field=top[a$num_inputs];[$((num_inputs + 1))]field=bottom,setpts=PTS+1/TB/1000[b$num_inputs];"
    graph+="[a$num_inputs][b$num_inputs]interleave,weave=first_field=top[woven$num_inputs];"
    outputs+=(-map "[woven$num_inputs]" -frames:v 1 -f rawvideo "$4")
    num_inputs=$((num_inputs + 2))
}
for location in $locations; do
    weave yuv420p10le ramp.yuv420p10le.$location.yuv fall.yuv420p10le.$location.yuv woven.yuv420p10le.$location.yuv
    weave rgb48le ramp.$location.zimg fall.$location.zimg woven.$location.zimg
done
outputs=(-filter_complex "${graph%;}" "${outputs[@]}")
make_all
number=0
for location in $locations; do
    encode woven yuv420p10le $location -c:v libx264 -qp 0 -preset ultrafast -flags +ildct -x264opts tff \
        -bsf:v h264_metadata=chroma_sample_loc_type=$number:matrix_coefficients=1 woven.$location.mp4
    number=$((number + 1))
done
make_all
words=()
for location in $locations; do
    words+=(woven.$location.mp4 woven.$location.own 16)
done
"$rows" "${words[@]}" >coding.txt 2>messages.txt
for location in $locations; do
    result=$(measure woven.$location.own woven.$location.zimg 2)
    printf 'woven, %s: %s of zimg\n' $location "$result"
    awk -v d="${result% *}" 'BEGIN { exit !(d <= 1) }' || fail "fields of $location: $result of zimg"
done
