#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode of what real inputs have: pipes, mixed folders, alpha in WebM, fields, variable rates, last frames that last.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# expect_length MOVIE SECONDS [RATE]: up to a hundredth of a second, or half a frame.
expect_length() {
    awk -v is="$(probe "$1" format=duration)" -v wanted="$2" -v rate="${3:-50/1}" 'BEGIN {
        split(rate "/1", r, "/"); d = is - wanted; most = r[2] / r[1] / 2 + 0.001
        exit !(d < most && d > -most)
    }' || fail "$1 lasts $(probe "$1" format=duration) s, not $2 s"
}

make clip.mkv testsrc2=s=64x48:r=25:d=0.4 -c:v ffv1 -pix_fmt yuv420p
"$weir" transcode clip.mkv clip.mov --quiet

# Names that are no names of files, or look like something else.
"$weir" transcode - stdin.mov --quiet <clip.mkv
"$weir" transcode pipe: pipe.mov --quiet <clip.mkv
"$weir" transcode file:clip.mkv file.mov --quiet
cp clip.mkv ./-
"$weir" transcode ./- dash.mov --quiet
for movie in stdin pipe file dash; do
    cmp "$movie.mov" clip.mov || fail "$movie.mov is not the clip"
done
echo "no picture" >clip.txt
expect_status 1 "nosuch:clip.mkv: No such file" "$weir" transcode nosuch:clip.mkv nothing.mov
expect_status 1 "not one picture\|cannot read it as a picture" "$weir" transcode - nothing.mov <clip.txt
expect_no nothing.mov

# A folder of both kinds: the pictures, and a word on the movies.
mkdir both movies
make both/a.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
cp clip.mkv both/clip.mkv
mkfifo both/b.png # which nobody writes to
ln -s a.png both/c.png
mkdir both/d.png
cp clip.mkv movies/clip.MKV
expect_status 0 "both: only the pictures in this folder are read, 1 movie is left out.*such as both/clip.mkv" \
    timeout 60 "$weir" transcode both both.mov
expect_movie both.mov 64 48 2
expect_status 1 "only movies; name one, such as movies/clip.MKV" "$weir" transcode movies nothing.mov

# Alpha that WebM keeps beside the picture.
if [[ $(ffmpeg -hide_banner -encoders 2>/dev/null) == *libvpx-vp9* ]]; then
    make alpha.webm testsrc2=s=64x48:r=10:d=0.3,format=yuva420p,colorchannelmixer=aa=0.5 -c:v libvpx-vp9 -b:v 1M
    expect_status 0 "alpha.webm: its alpha is left out" "$weir" transcode alpha.webm alpha.mov
    "$weir" texture alpha.webm alpha.dds --codec bc3 --effort fast >messages.txt 2>&1
    "$weir" texture --decode alpha.dds alpha.png >messages.txt 2>&1
    mean=$(ffmpeg -nostdin -v error -i alpha.png -vf alphaextract,scale=1:1 -frames:v 1 -f rawvideo -pix_fmt gray - |
        od -An -t u1 | xargs)
    [ "$mean" -ge 118 ] && [ "$mean" -le 138 ] || fail "half of alpha became $mean of 255"
fi

# Fields.
make fields.mkv "testsrc2=s=360x288:r=50:d=0.2,interlace,setsar=1" -c:v mpeg2video -flags +ilme+ildct -b:v 4M
expect_status 0 "it is interlaced.*bwdif" "$weir" transcode fields.mkv fields.mov

# A variable rate: --fps repeats and leaves out, and the movie lasts as long as it did.
make variable.mkv "testsrc2=s=160x120:r=30:d=2.9,select='not(mod(n\,3))+not(mod(n\,7))+gt(n\,60)'" \
    -fps_mode vfr -c:v ffv1 -pix_fmt yuv420p
for rate in 25 60 12 30000/1001; do
    "$weir" transcode variable.mkv fps.mov --fps $rate --quiet
    expect_length fps.mov 2.9 $rate
    expect_psnr fps.mov variable.mkv 27 "fps=$rate"
done
"$weir" transcode variable.mkv variable.mov --quiet
expect_length variable.mov 2.9

# The last frame of an animation lasts.
for k in 1 2 3; do make "gif_$k.png" "testsrc2=s=64x48:r=1:d=$k,select=eq(n\,$k-1)" -frames:v 1; done
convert -delay 40 gif_1.png -delay 60 gif_2.png -delay 190 gif_3.png slow.gif 2>/dev/null ||
    skip "no ImageMagick here, and it makes the animation"
"$weir" transcode slow.gif slow.mov --quiet
expect_length slow.mov 2.9
"$weir" transcode slow.gif slow10.mov --fps 10 --quiet
expect_movie slow10.mov 64 48 29
expect_length slow10.mov 2.9
echo passed
