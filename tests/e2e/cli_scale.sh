#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --scale: sizes, and frames beside those that zimg makes smaller. cli_scale.sh WEIR FOLDER SCALER, where
# SCALER makes a file of raw texels smaller, so that no codec lies between.
scaler=$3
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# Codes become light and come back by zimg.
to_light="format=gbrp,zscale=matrixin=gbr:rangein=full:transferin=iec61966-2-1:primariesin=bt709"
to_light+=":matrix=gbr:range=full:primaries=bt709:transfer=linear,format=gbrpf32le"
to_codes="zscale=matrixin=gbr:rangein=full:transferin=linear:primariesin=bt709"
to_codes+=":matrix=gbr:range=full:primaries=bt709:transfer=iec61966-2-1:dither=none,format=gbrp"

# theirs WIDTH HEIGHT: big.mkv in that size, as theirs.mkv.
theirs() {
    local cubic="zscale=w=$1:h=$2:filter=bicubic:param_a=0:param_b=0.5"
    ffmpeg -nostdin -v error -y -i big.mkv -vf "$to_light,$cubic,$to_codes" -c:v ffv1 -pix_fmt bgr0 theirs.mkv
}

# Half of the texels, in a pattern whose mean any symmetric filter finds at half of each side, also behind its edges.
half="mod(floor((X+1)/2)+floor((Y+1)/2)\,2)"

if command -v python3 >/dev/null && grep -q ' zscale ' <<<"$(ffmpeg -hide_banner -filters 2>/dev/null)"; then
    # big WIDTH HEIGHT
    big() {
        big_width=$1 big_height=$2
        make big.mkv "mandelbrot=s=$1x$2:r=1,trim=end_frame=1,eq=contrast=1.4" -c:v ffv1 -pix_fmt bgr0
        ffmpeg -nostdin -v error -y -i big.mkv -pix_fmt rgba -f rawvideo big.rgba
    }
    # beside WIDTH HEIGHT: no channel of a texel is more than a code away, and few are one.
    beside() {
        "$scaler" big.rgba "$big_width" "$big_height" ours.rgba "$1" "$2" >/dev/null || fail "the scaler failed"
        theirs "$1" "$2"
        ffmpeg -nostdin -v error -y -i theirs.mkv -pix_fmt rgba -f rawvideo theirs.rgba
        judge "$1x$2" <<'PROGRAM' || fail "$1x$2: other frames than those of zimg"
import sys
ours, theirs = (open(name, "rb").read() for name in ("ours.rgba", "theirs.rgba"))
assert len(ours) == len(theirs) > 0
differences = [abs(a - b) for a, b in zip(ours, theirs)]
ones = sum(d == 1 for d in differences) / len(differences)
print(f"{sys.argv[1]}: at most {max(differences)} codes, {100 * ones:.3f} % one")
assert max(differences) <= 1 and ones < 0.002
PROGRAM
    }
    big 388 260
    beside 291 195
    beside 97 65
    big 760 520
    beside 380 260
    # From end to end, through the codec, and beside averages of codes, which are darker.
    "$weir" transcode big.mkv out.mov --scale 50% --quiet
    expect_movie out.mov 380 260 1
    expect_psnr out.mov theirs.mkv 31
    make lines.mkv "nullsrc=s=252x252:r=1:d=1,format=gray,geq=lum='255*$half',format=bgr0" -c:v ffv1
    "$weir" transcode lines.mkv out.mov --scale x126 --quiet
    grey=$(ffmpeg -nostdin -v error -i out.mov -pix_fmt gray -f rawvideo - | od -An -t u1 -v | tr -s ' ' '\n' | sort -nu | xargs)
    [[ $grey =~ ^(18[6-9] ?)+$ ]] || fail "half white is $grey, and should be 188"
else
    printf 'no zscale in this ffmpeg, or no python3: they judge frames\n'
fi

# Every way to write a size. The side that is left out keeps the ratio; shares are rounded down.
make clip.mkv testsrc2=s=202x110:r=10:d=0.5 -c:v ffv1
while read -r scale width height; do
    "$weir" transcode clip.mkv out.mov --scale "$scale" --quiet 2>/dev/null
    expect_movie out.mov "$width" "$height" 5
done <<'SIZES'
150x 150 82
12.5% 25 13
40x110 40 110
SIZES
"$weir" transcode clip.mkv whole.mov --quiet
"$weir" transcode clip.mkv out.mov --scale 100% --quiet
cmp whole.mov out.mov || fail "frames of the same size are others"
expect_movie out.mov 202 110 5

# With a part, another rate, blocks that are filled up, and a frame that stands upright.
"$weir" transcode clip.mkv out.mov --scale 150x --range 0.1-0.4 --fps 20 --pad 4 2>messages.txt
expect_movie out.mov 152 84 6
grep -q "152x84 (padded from 150x82)" messages.txt || fail "not told: $(cat messages.txt)"
make lying.mp4 testsrc2=s=160x90:r=5:d=1 -c:v libx264 -pix_fmt yuv420p
note_turn lying.mp4 90 turned.mp4
"$weir" transcode turned.mp4 out.mov --scale 63x --quiet 2>/dev/null
expect_movie out.mov 63 112 5

# Pixels that are not square are made so first, or kept: then the picture keeps its shape.
make wide.mkv testsrc2=s=90x72:r=5:d=0.4,setsar=16/11 -c:v ffv1
"$weir" transcode wide.mkv out.mov --scale x54 --quiet 2>/dev/null
expect_movie out.mov 98 54 2
"$weir" transcode wide.mkv out.mov --scale 50% --pixel-aspect keep --quiet 2>/dev/null
[ "$(field out.mov width,height,sample_aspect_ratio)" = 45,36,16:11 ] || fail "another shape: $(field out.mov sample_aspect_ratio)"
"$weir" transcode wide.mkv out.mov --scale 45x72 --pixel-aspect keep --quiet 2>/dev/null
[ "$(field out.mov width,height,sample_aspect_ratio)" = 45,72,32:11 ] || fail "another shape: $(field out.mov sample_aspect_ratio)"

# Alpha: what it hides shows nowhere, straight or multiplied. Green is hidden beside opaque red.
make holes.mov "nullsrc=s=140x140:r=1:d=1,format=argb,geq=r='255*$half':g='255-255*$half':b=0:a='255*$half'" -c:v qtrle
for how in "" --premultiplied; do
    # shellcheck disable=SC2086
    "$weir" transcode holes.mov out.mov --codec hap_alpha --effort fast --scale 70x --quiet $how
    texel=$(ffmpeg -nostdin -v error -i out.mov -pix_fmt rgba -f rawvideo - | od -An -t u1 -v -w4 | sort -u | xargs)
    case $how in
    "") [[ $texel =~ ^255\ 0\ 0\ 12[78]$ ]] || fail "hidden green shows: $texel" ;;
    *) [[ $texel =~ ^1[23][0-9]\ 0\ 0\ 12[78]$ ]] || fail "hidden green shows, multiplied: $texel" ;;
    esac
done
"$weir" transcode holes.mov out.mov --codec hap_alpha_only --effort fast --scale 100x --quiet
expect_decodes out.mov

# 16 bits keep what 8 bits have no code for: half a code, which the encoder dithers.
make half.png "color=s=256x256:r=1:d=1,format=gray16le,geq=lum='100.5*257'" -frames:v 1
"$weir" transcode half.png out.mov --scale 75% --quiet
ffmpeg -nostdin -v error -i out.mov -pix_fmt rgb24 -f rawvideo - >half.rgb
judge <<'PROGRAM' || fail "half a code of 8 bits is lost"
texels = open("half.rgb", "rb").read()
mean = sum(texels) / len(texels)
print(f"half a code: {mean:.3f}")
assert len(texels) == 192 * 192 * 3 and abs(mean - 100.5) < 0.1
PROGRAM

# Light stays light, above 1 too: two texels of 0 and 8 are 4.
make light.exr "nullsrc=s=72x72:r=1:d=1,format=gbrpf32le,geq=g='8*$half':b='8*$half':r='8*$half'" -frames:v 1
"$weir" transcode light.exr out.mov --codec hap_hdr --effort fast --scale 36x --quiet
make four.exr "nullsrc=s=36x36:r=1:d=1,format=gbrpf32le,geq=g=4:b=4:r=4" -frames:v 1
"$weir" transcode four.exr four.mov --codec hap_hdr --effort fast --quiet
cmp out.mov four.mov || fail "light is averaged to something else"

# Sequences are as large as their first picture; in a folder each movie has its own size.
mkdir shots
make shots/%d.png testsrc2=s=64x48:r=25:d=0.2
"$weir" transcode shots/%d.png out.mov --scale 75% --quiet
expect_movie out.mov 48 36 5
make small.mkv testsrc2=s=40x30:r=5:d=0.4 -c:v ffv1
expect_status 1 "small.mkv" "$weir" transcode clip.mkv small.mkv movies/ --scale x60
expect_movie movies/clip.mov 110 60 5
expect_no movies/small.mov
# --resume knows it as an option that makes another movie.
expect_status 0 'complete, left as it is' "$weir" transcode clip.mkv movies/ --scale x60 --resume
expect_status 0 'was made with other options' "$weir" transcode clip.mkv movies/ --scale x66 --resume
expect_movie movies/clip.mov 121 66 5

# Nothing is enlarged, and what is no size is told.
expect_status 1 "203x111 is larger than the 202x110 of clip.mkv; --size enlarges" "$weir" transcode clip.mkv x.mov --scale 203x
expect_status 1 "100x111 is larger" "$weir" transcode clip.mkv x.mov --scale 100x111
expect_status 2 "1280x720, 1280x, x720 or 50%" "$weir" transcode clip.mkv x.mov --scale 101%
expect_no x.mov
"$weir" transcode clip.mkv out.mov --scale 90x49 --quiet --validation || fail "messages of the validation layer"
expect_movie out.mov 90 49 5
"$weir" transcode clip.mkv out.mov --scale 50% --quiet --validation || fail "messages of the validation layer"
expect_movie out.mov 101 55 5
echo passed
