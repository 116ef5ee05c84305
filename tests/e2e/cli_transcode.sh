#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode: movies, pictures, sequences and folders of all sizes, judged by ffprobe and ffmpeg.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# Movies. Their own rate, size and count; the bound is against the decoded source.
make h264.mp4 testsrc2=s=640x360:r=30000/1001:d=0.5 -c:v libx264 -pix_fmt yuv420p -colorspace smpte170m
"$weir" transcode h264.mp4 h264.mov --validation
expect_movie h264.mov 640 360 15
[ "$(field h264.mov r_frame_rate)" = 30000/1001 ] || fail "the rate is $(field h264.mov r_frame_rate)"
expect_psnr h264.mov h264.mp4 37

# Statistics beside the movie; without the option there are none.
[ ! -e h264.mov.json ] || fail "h264.mov.json is there"
"$weir" transcode h264.mp4 beside.mov --sidecar --compression snappy --frames 7
judge beside.mov.json <<'end' || fail "the sidecar is not what it should be"
import json, sys
s = json.load(open(sys.argv[1]))
t = s["statistics"]
assert (s["codec"], s["width"], s["height"], s["frame_rate"]) == ("hap_q", 640, 360, [30000, 1001])
assert (s["compression"], s["policy"], s["result"], s["drops"]) == ("snappy", "wait", "WEIR_OK", [])
assert t["received"] == t["written"] == 7 and t["dropped"] == t["skipped"] == 0 and t["bytes"] > 0
end
mkdir beside2.mov.json
expect_status 1 "beside2.mov.json" "$weir" transcode h264.mp4 beside2.mov --sidecar
[ ! -e beside2.mov ] || fail "beside2.mov is there"

make ffv1.mkv mandelbrot=s=320x240:r=25 -frames:v 5 -c:v ffv1 -pix_fmt bgr0
"$weir" transcode ffv1.mkv ffv1.mov --compression snappy --chunks 4 --decoder ffmpeg
expect_movie ffv1.mov 320 240 5
expect_psnr ffv1.mov ffv1.mkv 28 # noise of single texels; FFmpeg's own encoder gives 28.7

# A grey ramp is lossless.
make grey.png "nullsrc=s=256x64:r=1:d=1,geq=lum=X:cb=128:cr=128,format=gray" -frames:v 1
"$weir" transcode grey.png grey.mov --decoder ffmpeg
expect_movie grey.mov 256 64 1
expect_psnr grey.mov grey.png inf

# Efforts: what the rest is written from is the same, and the picture is better the longer it took.
make efforts.png testsrc2=s=160x120:r=1:d=1,noise=alls=20:all_seed=1 -frames:v 1
for effort in fast default high; do
    "$weir" transcode efforts.png "$effort.mov" --effort "$effort"
    expect_movie "$effort.mov" 160 120 1
    psnr "$effort.mov" efforts.png
done | sort -cn || fail "an effort is worse than the one before"
[ "$(stat -c %s fast.mov)" = "$(stat -c %s high.mov)" ] || fail "efforts differ in size"

# Blocks that keep what they can: other ones, and hardly worse. tests/unit/steady_test.c has what it is for.
make still.mkv color=gray:s=66x50:r=25:d=0.2,noise=alls=3:allf=t:all_seed=1 -c:v ffv1 -pix_fmt bgr0
for codec in hap hap_q; do
    "$weir" transcode still.mkv "still_$codec.mov" --codec "$codec" --effort fast --quiet
    "$weir" transcode still.mkv "steady_$codec.mov" --codec "$codec" --effort fast --steady --quiet
    cmp -s "still_$codec.mov" "steady_$codec.mov" && fail "--steady changes nothing in $codec"
    expect_psnr "steady_$codec.mov" still.mkv "$(psnr "still_$codec.mov" still.mkv | cut -d . -f 1 | awk '{ print $1 - 1 }')"
done
expect_movie steady_hap_q.mov 66 50 5

# Pictures and sequences; sizes that are no multiples of 4.
for size in 1x1 3x5 33x17 1918x1078; do
    make "p_$size.png" "testsrc2=s=640x360:r=1:d=1,scale=$size,setsar=1" -frames:v 1
    "$weir" transcode "p_$size.png" "p_$size.mov"
    expect_movie "p_$size.mov" "${size%x*}" "${size#*x}" 1
    expect_psnr "p_$size.mov" "p_$size.png" 25
    make "m_$size.mkv" "testsrc2=s=64x48:r=25:d=0.08,scale=$size,setsar=1" -c:v ffv1 -pix_fmt yuv444p
    "$weir" transcode "m_$size.mkv" "m_$size.mov" --quiet
    expect_movie "m_$size.mov" "${size%x*}" "${size#*x}" 2
done

mkdir sequence
make sequence/f_%04d.png testsrc2=s=64x48:r=25:d=0.4 -start_number 998
"$weir" transcode sequence/f_%04d.png sequence.mov --fps 12
expect_movie sequence.mov 64 48 10
[ "$(field sequence.mov r_frame_rate)" = 12/1 ] || fail "--fps 12 gave $(field sequence.mov r_frame_rate)"
ffmpeg -nostdin -v error -y -start_number 998 -i sequence/f_%04d.png -c:v ffv1 -pix_fmt bgr0 sequence.mkv
expect_psnr sequence.mov sequence.mkv 32

# A folder: by name, numbers as numbers, pictures only, of different kinds and sizes.
mkdir pictures
make pictures/a_10.png color=red:s=64x48:r=1:d=1 -frames:v 1
make pictures/a_2.jpg color=lime:s=64x48:r=1:d=1 -frames:v 1
make pictures/b.bmp color=blue:s=32x24:r=1:d=1 -frames:v 1
echo "no picture" >pictures/notes.txt
: >pictures/._a_1.png
expect_status 0 "size changes" "$weir" transcode pictures pictures.mov
expect_movie pictures.mov 64 48 3
[ "$(colours pictures.mov)" = "010 100 001 " ] || fail "the pictures came in the order $(colours pictures.mov)"

# --size, --frames, alpha.
"$weir" transcode h264.mp4 small.mov --size 320x180 --frames 7
expect_movie small.mov 320 180 7
expect_psnr small.mov h264.mp4 30 \
    "trim=end_frame=7,scale=320:180:in_h_chr_pos=0:flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,format=gbrp"
make alpha.png color=red@0.5:s=16x16:r=1:d=1,format=rgba -frames:v 1
expect_status 0 "alpha is left out" "$weir" transcode alpha.png alpha.mov

# A movie that changes its size in mid stream, and starts its time again: as large as its first frame.
make a.ts testsrc2=s=320x240:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p
make b.ts testsrc2=s=160x120:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p
cat a.ts b.ts >change.ts
expect_status 0 "size changes from 320x240 to 160x120 at frame 10" "$weir" transcode change.ts change.mov
expect_movie change.mov 320 240 20

# What a telephone notes about how it was held: ffmpeg turns it upright, and so do we.
ffmpeg -nostdin -v error -y -i h264.mp4 -frames:v 5 -c copy five.mp4
ffmpeg -nostdin -v error -y -i five.mp4 -fps_mode passthrough -c:v ffv1 -vf \
    scale=in_h_chr_pos=0:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=bgr0 codes.mov # before it is turned
for angle in 90 180 270; do
    note_turn five.mp4 $angle turned.mp4
    note_turn codes.mov $angle turned_codes.mov
    "$weir" transcode turned.mp4 turned.mov --quiet
    size="640 360"
    [ $angle = 180 ] || size="360 640"
    # shellcheck disable=SC2086
    expect_movie turned.mov $size 5
    expect_psnr turned.mov turned_codes.mov 36
done

# Not a terminal: no progress line, a line on the input and one of summary; --quiet: nothing.
"$weir" transcode five.mp4 again.mov 2>messages.txt
[ "$(wc -l <messages.txt)" = 2 ] || fail "more than a line and a summary: $(cat messages.txt)"
head -n 1 messages.txt |
    grep -q "^five.mp4: 640x360 yuv420p, smpte170m matrix, limited range.*, chroma left, sRGB primaries (assumed), display codes (assumed)$" ||
    fail "the input is $(head -n 1 messages.txt)"
grep -q "again.mov: 5 frames, 640x360, HapY" messages.txt || fail "the summary is $(cat messages.txt)"
"$weir" transcode five.mp4 again.mov --quiet 2>messages.txt
[ ! -s messages.txt ] || fail "--quiet says $(cat messages.txt)"
echo passed
