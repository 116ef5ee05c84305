#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode of sources of more than 8 bits: soft gradients keep their fractions of a code, as zimg has them.
# bash cli_depth.sh WEIR FOLDER LESSER
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
lesser=$3
[[ $(ffmpeg -hide_banner -filters 2>/dev/null) == *" zscale "* ]] || skip "this ffmpeg has no zscale, and it is the judge"

# texels INPUT FILTER FORMAT BYTES: the values of its first frame, a texel a line.
texels() {
    ffmpeg -nostdin -v error -i "$1" -frames:v 1 -vf "$2" -f rawvideo -pix_fmt "$3" - | od -An -v -t "u$4" -w$((3 * $4))
}

# mean_error MOVIE SOURCE [FILTER]: how far the means of 8x8 texels are off, in the mean [codes], and the largest.
# FILTER makes display codes of 16 bits of the source.
mean_error() {
    local width
    width=$(ffprobe -v error -select_streams v:0 -show_entries stream=width -of csv=p=0 "$1")
    paste <(texels "$1" null rgb24 1) <(texels "$2" "${3:-zscale=r=pc:m=gbr,format=gbrp16le}" rgb48le 2) |
        awk -v width="$width" '
            NF != 6 { exit 1 }
            { i = NR - 1; block = int(i % width / 8) "," int(i / width / 8)
              for (c = 1; c <= 3; c++) sum[block, c] += $c - $(c + 3) / 257 }
            END { for (b in sum) { e = sum[b] / 64; if (e < 0) e = -e; all += e; n++; if (e > most) most = e }
                  if (n < 100) exit 1; printf "%.4f %.4f\n", all / n, most }' || fail "$1 and $2 cannot be compared"
}

# expect_means MOVIE SOURCE MEAN MOST [FILTER]: at most so far off, in the mean and anywhere.
expect_means() {
    local found
    found=$(mean_error "$1" "$2" "${5:-}")
    awk -v m="$3" -v w="$4" '{ exit !($1 <= m && $2 <= w) }' <<<"$found" || fail "means of $1 are $found codes off"
    printf '%s: means of 8x8 texels are %s codes off those of %s\n' "$1" "$found" "$2"
}

# A code of 10 bits each ten texels, which is one of 8 bits each forty. Rounded, means are a quarter of a code off.
slope="trunc(400+(X+Y/4)*100/1024)"
ramp="nullsrc=s=1024x32:r=1:d=1"
make limited.mkv "$ramp,format=yuv420p10le,geq=lum='$slope':cb=512:cr=512" -c:v ffv1 -colorspace bt709 -color_range tv
make full.mkv "$ramp,format=yuv444p12le,geq=lum='4*$slope':cb=2048:cr=2048" -c:v ffv1 -colorspace bt709 -color_range pc
make rgb.mkv "$ramp,format=gray10le,geq=lum='$slope',format=gbrp10le" -c:v ffv1
make hevc.mp4 "$ramp,format=yuv420p10le,geq=lum='$slope':cb=512:cr=512" -c:v libx265 -x265-params log-level=none:lossless=1 \
    -colorspace bt709 -color_range tv
make deep.png "$ramp,format=gray16le,geq=lum='64*$slope',format=rgb48be" -frames:v 1
make deep.tif "$ramp,format=gray16le,geq=lum='64*$slope',format=rgb48le" -frames:v 1
for input in limited.mkv full.mkv rgb.mkv hevc.mp4 deep.png deep.tif; do
    "$weir" transcode $input out.mov --decoder ffmpeg --quiet
    expect_means out.mov $input 0.03 0.15
done
"$weir" transcode rgb.mkv out.mov --codec hap_q_alpha --decoder ffmpeg --quiet
expect_means out.mov rgb.mkv 0.03 0.15
# Turned and scaled.
ffmpeg -nostdin -v error -y -i hevc.mp4 -c copy five.mp4
note_turn five.mp4 90 turned.mp4
"$weir" transcode turned.mp4 out.mov --decoder ffmpeg --quiet --validation
expect_means out.mov turned.mp4 0.03 0.15
"$weir" transcode limited.mkv out.mov --size 512x16 --decoder ffmpeg --quiet
expect_means out.mov limited.mkv 0.03 0.15 "zscale=512:16:filter=lanczos:r=pc:m=gbr,format=gbrp16le"

# Light and HDR, up to the display code.
ffmpeg -nostdin -v error -y -i deep.png -vf "format=gbrp16le,zscale=tin=iec61966-2-1:t=linear:npl=100,format=gbrpf32le" light.exr
"$weir" transcode light.exr out.mov --decoder ffmpeg --quiet
expect_means out.mov light.exr 0.03 0.15 "zscale=tin=linear:t=iec61966-2-1:npl=100,format=gbrp16le"
pq=setparams=colorspace=bt2020nc:range=tv:color_trc=smpte2084:color_primaries=bt2020
make pq.mkv "$ramp,format=yuv420p10le,geq=lum='$slope':cb=512:cr=512,$pq" -c:v ffv1 -colorspace bt2020nc -color_range tv \
    -color_trc smpte2084 -color_primaries bt2020
"$weir" transcode pq.mkv out.mov --tonemap clip --decoder ffmpeg --quiet
expect_means out.mov pq.mkv 0.03 0.15 \
    "zscale=t=linear:npl=203:m=gbr:r=pc,format=gbrpf32le,zscale=p=bt709,zscale=t=iec61966-2-1,format=gbrp16le"

# Colours are multiplied and divided by alpha with all of their bits.
make alpha.png "$ramp,format=gray16le,geq=lum='64*$slope',format=gbrap16le,lutrgb=a=40000" -frames:v 1 -pix_fmt rgba64be
"$weir" transcode alpha.png out.mov --codec hap_q_alpha --premultiplied --decoder ffmpeg --quiet
expect_means out.mov alpha.png 0.03 0.15 "format=gbrap16le,premultiply=inplace=1,format=gbrp16le"
ffmpeg -nostdin -v error -y -i alpha.png -vf format=gbrap16le,premultiply=inplace=1 -pix_fmt rgba64be multiplied.png
"$weir" transcode multiplied.png out.mov --codec hap_q_alpha --input-alpha premultiplied --decoder ffmpeg --quiet
expect_means out.mov deep.png 0.03 0.15

# What needs no more than 8 bits is the same in 16. All efforts read texels by the same code, and the codecs that are
# left out have textures of these.
codes=('trunc(128+100*sin(X/9)*cos(Y/7))' 'mod(X+2*Y\,256)' 'mod(trunc(X*Y/40)\,256)' 'mod(X\,256)')
for wide in "gbrap 1 eight rgba" "gbrap16le 257 sixteen rgba64be"; do
    read -r format factor name stored <<<"$wide"
    make $name.png "color=s=333x181:r=1:d=1,format=$format,geq=r='$factor*${codes[0]}':g='$factor*${codes[1]}':b='$factor*${codes[2]}':a='$factor*${codes[3]}'" \
        -frames:v 1 -pix_fmt $stored
done
for codec in hap hap_alpha hap_q_alpha hap_r; do
    "$weir" transcode eight.png eight.mov --codec $codec --effort fast --quiet 2>/dev/null
    "$weir" transcode sixteen.png sixteen.mov --codec $codec --effort fast --quiet 2>/dev/null
    expect_packets eight.mov sixteen.mov "$codec of codes of 8 bits"
done

# Sources of 8 bits are not dithered: as on a device without images of 16 bits.
make h264.mp4 testsrc2=s=320x180:r=5:d=1 -c:v libx264 -pix_fmt yuv420p -colorspace smpte170m -color_range tv
"$weir" transcode h264.mp4 movie.mov --quiet
WEIR_LESSER=rgba16_unorm LD_PRELOAD=$lesser "$weir" transcode h264.mp4 codes.mov --quiet
expect_packets movie.mov codes.mov "codes of 8 bits"

# A device without images of 16 bits rounds.
WEIR_LESSER=rgba16_unorm LD_PRELOAD=$lesser "$weir" transcode limited.mkv rounded.mov --decoder ffmpeg --quiet
expect_means rounded.mov limited.mkv 0.3 0.6
[ "$(mean_error rounded.mov limited.mkv | awk '{ print ($1 > 0.1) }')" = 1 ] || fail "the lesser device was not used"
# A sequence of both kinds is like its first picture.
mkdir mixed
cp deep.png mixed/1.png
ffmpeg -nostdin -v error -y -i deep.png -pix_fmt rgb24 mixed/2.png
"$weir" transcode mixed mixed.mov --quiet
expect_movie mixed.mov 1024 32 2
echo passed
