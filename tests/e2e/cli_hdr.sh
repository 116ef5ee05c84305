#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode of HDR, wide gamuts and linear light: as zimg and FFmpeg's tone mapping show them.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg
[[ $(ffmpeg -hide_banner -filters 2>/dev/null) == *" zscale "* ]] || skip "this ffmpeg has no zscale, and it is the judge"

# hdr FILE TRANSFER PEAK: soft colours whose largest code is PEAK of 1. Without a matrix, in BT.2020.
hdr() {
    make "$1" "gradients=s=256x128:seed=1:n=6:c0=red:c1=lime:c2=blue:c3=white:c4=orange:c5=purple:x0=10:y0=0:x1=240:y1=120:r=5:d=0.4,format=gbrp10le,gblur=sigma=12,lutrgb=r=val*$3:g=val*$3:b=val*$3,setparams=color_trc=$2:color_primaries=bt2020" \
        -c:v ffv1 -color_trc "$2" -color_primaries bt2020
}

# expect_like_zimg MOVIE SOURCE BOUND FILTER: the movie against FILTER of the source in linear light, white being 1.
expect_like_zimg() {
    expect_psnr "$1" "$2" "$3" \
        "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709${4:+,$4},zscale=t=iec61966-2-1:r=pc,format=gbrp"
}

hdr pq.mkv smpte2084 0.75
expect_status 0 "HDR (PQ) is tone-mapped by Hable's curve, from 1000 cd/m2" "$weir" transcode pq.mkv hable.mov --tonemap hable
expect_like_zimg hable.mov pq.mkv 38 "tonemap=hable:desat=0:peak=4.926108"
"$weir" transcode pq.mkv clip.mov --tonemap clip --quiet
expect_like_zimg clip.mov pq.mkv 36

# By BT.2390 what is darker than the knee is as it was, and highlights keep their differences.
hdr dark.mkv smpte2084 0.3
expect_status 0 "tone-mapped by BT.2390" "$weir" transcode dark.mkv dark.mov
expect_like_zimg dark.mov dark.mkv 38
make ramp.mkv "nullsrc=s=256x64:r=1:d=1,format=gray10le,geq=lum=3*X,format=gbrp10le,setparams=color_trc=smpte2084:color_primaries=bt2020" \
    -c:v ffv1 -color_trc smpte2084 -color_primaries bt2020
for name in bt2390 clip; do
    "$weir" transcode ramp.mkv $name.mov --tonemap $name --quiet
    ffmpeg -nostdin -v error -i $name.mov -frames:v 1 -f rawvideo -pix_fmt rgb24 - |
        od -An -v -t u1 -w1 | grep -c 255 >$name.txt || true
done
[ "$(cat bt2390.txt)" -lt "$(cat clip.txt)" ] || fail "BT.2390 clips $(cat bt2390.txt) values, clipping $(cat clip.txt)"

# The brightest light that the file states decides where the curve ends.
ffmpeg -nostdin -v error -y -i pq.mkv -vf format=yuv444p10le -c:v libx265 -x265-params \
    "log-level=none:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=400,100" stated.mp4
expect_status 0 "from 400 cd/m2" "$weir" transcode stated.mp4 stated.mov

hdr hlg.mkv arib-std-b67 0.9
expect_status 0 "HDR (HLG) is tone-mapped by BT.2390, from 1000 cd/m2" "$weir" transcode hlg.mkv hlg.mov

# Off: the codes as they are, and a word.
expect_status 0 "not tone-mapped and looks grey" "$weir" transcode pq.mkv off.mov --tonemap off
expect_psnr off.mov pq.mkv 38 "setparams=color_trc=bt709:color_primaries=bt709,format=gbrp"

# A wide gamut without HDR is no reason for dull colours either.
make wide.mkv "gradients=s=256x128:seed=1:n=6:c0=red:c1=lime:c2=blue:c3=white:c4=orange:c5=purple:x0=10:y0=0:x1=240:y1=120:r=5:d=0.4,format=gbrp10le,gblur=sigma=12,setparams=color_trc=iec61966-2-1:color_primaries=bt2020" \
    -c:v ffv1 -color_trc iec61966-2-1 -color_primaries bt2020
"$weir" transcode wide.mkv wide.mov --quiet
expect_psnr wide.mov wide.mkv 36 "zscale=p=bt709:r=pc,format=gbrp"

# YCgCo is converted: zimg is the judge. Other matrices are refused by name.
make ycgco.mkv "testsrc2=s=256x128:r=5:d=0.4,format=gbrp,zscale=m=ycgco:r=limited,format=yuv420p" -c:v ffv1 -colorspace ycgco -color_range tv
"$weir" transcode ycgco.mkv ycgco.mov 2>said.txt
[[ $(cat said.txt) == *"ycgco matrix, limited range"* ]] || fail "ycgco.mkv is taken for: $(cat said.txt)"
expect_psnr ycgco.mov ycgco.mkv 33 "zscale=m=gbr:min=ycgco:rin=limited:r=full,format=gbrp"
make ictcp.mkv "testsrc2=s=64x64:r=5:d=0.4,format=yuv444p10" -c:v ffv1 -colorspace ictcp
expect_status 1 "the matrix ictcp, which is not read" "$weir" transcode ictcp.mkv out.mov
make constant.mkv "testsrc2=s=64x64:r=5:d=0.4,format=yuv444p10" -c:v ffv1 -colorspace bt2020c
expect_status 1 "matrix bt2020c" "$weir" transcode constant.mkv out.mov

# Linear light: PFM and OpenEXR alike, encoded by the curve of sRGB.
make codes.png "gradients=s=256x128:seed=1:n=6:c0=red:c1=lime:c2=blue:c3=white:c4=orange:c5=purple:x0=10:y0=0:x1=240:y1=120:r=1:d=1,format=rgb24,gblur=sigma=12" -frames:v 1
ffmpeg -nostdin -v error -y -i codes.png -vf "format=gbrp,zscale=tin=iec61966-2-1:t=linear:npl=100,format=gbrpf32le" linear.exr
ffmpeg -nostdin -v error -y -i linear.exr -vf "$(pfm_turn)" -pix_fmt gbrpf32le linear.pfm
for ending in exr pfm; do
    "$weir" transcode linear.$ending linear_$ending.mov --quiet
    expect_psnr linear_$ending.mov codes.png 36
done
echo passed
