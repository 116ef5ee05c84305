#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_play.sh WEIR FOLDER REFERENCE: weir play shows every format of HAP as its blocks say, by a decoder in double precision
# (play_reference.c) and by FFmpeg's, which rounds twice; movies that are not closed; textures and pictures; and refuses what
# is none.
source "$(dirname "$0")/cli_common.sh"
reference=$3

# shown MOVIE FRAME [OPTIONS...]: the frame as RGBA on the standard output.
shown() {
    local movie=$1 frame=$2
    shift 2
    "$weir" play --headless --picture shown.png --frame "$frame" "$movie" "$@" >&2 || fail "$movie: frame $frame is not shown"
    ffmpeg -nostdin -v error -i shown.png -f rawvideo -pix_fmt rgba -
}

# expect_reference MOVIE FRAME: each value is at most a code from the nearest one. Mesa's software device rounds texels of BC1
# and BC3 to 8 bits, and two of them are added up for scaled YCoCg.
expect_reference() {
    local most limit=1.5
    [[ $1 != *_q* ]] || limit=2.5
    most=$(shown "$1" "$2" --validation | "$reference" "$1" "$2") || fail "$1: frame $2 cannot be compared: $most"
    echo "$1 frame $2: $most"
    awk -v limit=$limit '$1 > limit || $2 > 0.75 { exit 1 }' <<<"$most" || fail "$1: frame $2 differs by $most codes"
}

# expect_ffmpeg INPUT FRAME MOST [FILE FRAME] [OPTIONS...]: no value differs by more codes from what FFmpeg shows of the file.
expect_ffmpeg() {
    local input=$1 frame=$2 most=$3 file=${4-$1} number=${5-$2}
    shift $(($# < 5 ? $# : 5))
    shown "$input" "$frame" "$@" >shown.rgba
    ffmpeg -nostdin -v error -i "$file" -vf "select=eq(n\,$number)" -frames:v 1 -f rawvideo -pix_fmt rgba - >ffmpeg.rgba
    [ -s ffmpeg.rgba ] && [ $(stat -c %s shown.rgba) = $(stat -c %s ffmpeg.rgba) ] || fail "$input: frame $frame has another size"
    { cmp -l shown.rgba ffmpeg.rgba || true; } | awk -v most="$most" '
        function value(octal) { return int(octal / 100) * 64 + int(octal / 10) % 10 * 8 + octal % 10 }
        { d = value($2) - value($3); if (d > most || d < -most) exit 1 }' || fail "$input: frame $frame is not FFmpeg's"
}

part formats
# Of a size that no block divides, with an alpha that changes.
ffmpeg -nostdin -v error -f lavfi -i "testsrc2=size=67x45:rate=25,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='X*3'" \
    -frames:v 5 in_%d.png
ffmpeg -nostdin -v error -i in_%d.png -pix_fmt gbrpf32le in_%d.exr
for codec in hap hap_q hap_alpha hap_q_alpha hap_alpha_only hap_r hap_hdr; do
    case $codec in hap_hdr) input=in_%d.exr ;; *) input=in_%d.png ;; esac
    "$weir" transcode "$input" $codec.mov --codec $codec --fps 25 --quiet 2>/dev/null
    expect_reference $codec.mov 3
done
for codec in hap hap_alpha hap_alpha_only; do expect_ffmpeg $codec.mov 0 1; done
for codec in hap_q hap_q_alpha; do expect_ffmpeg $codec.mov 4 3; done

part chunks
ffmpeg -nostdin -v error -f lavfi -i "testsrc2=size=256x128:rate=25" -frames:v 3 in_%d.png
for chunks in $(numbers_of 1 3 64); do
    "$weir" transcode in_%d.png ${chunks}_q.mov --codec hap_q_alpha --compression snappy --chunks $chunks --quiet 2>/dev/null
    expect_reference ${chunks}_q.mov 2
done
"$weir" transcode in_%d.png stored_q.mov --quiet
expect_reference stored_q.mov 0

part unfinished
# A movie that was killed is played up to its last frame, and what is no movie is refused.
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=64x48:rate=25 -frames:v 60 -f yuv4mpegpipe video.y4m
mkfifo pipe
"$program" transcode - killed.mov --codec hap --quiet <pipe &
killed=$!
exec 9>pipe
cat video.y4m >&9
has_frames() { [ "$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 killed.mov)" -gt 40 ]; }
until_true has_frames
kill -9 $killed
wait $killed || true
exec 9>&-
expect_ffmpeg killed.mov 30 1
head -c 100000 video.y4m >none.mov
! env -u DISPLAY -u WAYLAND_DISPLAY "$weir" play killed.mov 2>refused.txt || fail "there is a window without a window system"
grep -q "no window system with Vulkan here" refused.txt || fail "it is refused by $(cat refused.txt)"

part stills
# Each level of each image, against the decoder in double precision of weir texture, and FFmpeg's where it has one.
mkdir pictures
ffmpeg -nostdin -v error -f lavfi -i "testsrc2=size=67x45:rate=25,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='X*3'" \
    -frames:v 3 pictures/%d.png
ffmpeg -nostdin -v error -i pictures/2.png -pix_fmt gbrpf32le light.exr
"$weir" texture pictures/1.png pictures/2.png both.ktx2 --array --codec bc7 --srgb --levels 4 >/dev/null
"$weir" texture light.exr light.dds --codec bc6h >/dev/null
for codec in bc4 rgba8 eac_r11; do "$weir" texture pictures/2.png $codec.ktx2 --codec $codec >/dev/null; done
for codec in bc1 bc3 bc7; do "$weir" texture pictures/2.png $codec.dds --codec $codec >/dev/null; done
for input in both.ktx2:1:2 both.ktx2:0:3 light.dds:0:0 bc4.ktx2:0:0 bc7.dds:0:0 rgba8.ktx2:0:0 eac_r11.ktx2:0:0; do
    IFS=: read -r file slice mip <<<"$input"
    "$weir" texture --decode --slice "$slice" --mip "$mip" "$file" decoded.png >/dev/null
    expect_ffmpeg "$file" "$slice" 1 decoded.png 0 --mip "$mip" --validation
done
for codec in bc1 bc3; do expect_ffmpeg $codec.dds 0 1; done

# Pictures: a folder, a pattern, names.
expect_ffmpeg pictures 2 0 pictures/3.png 0
expect_ffmpeg pictures/%d.png 1 0 pictures/2.png 0
expect_ffmpeg pictures/3.png 1 0 pictures/1.png 0 pictures/1.png --validation
"$weir" texture light.exr float.ktx2 --codec rgba16f >/dev/null
"$weir" texture --decode float.ktx2 decoded.png >/dev/null
expect_ffmpeg light.exr 0 1 decoded.png 0

# refused MESSAGE ARGUMENTS...
refused() {
    ! "$weir" play --headless --picture x.png "${@:2}" 2>refused.txt || fail "shown: ${*:2}"
    grep -q -- "$1" refused.txt || fail "${*:2}: $(cat refused.txt)"
}
head -c 2000 both.ktx2 >short.ktx2
head -c 200 pictures/1.png >short.png
refused "none.mov has no index" ../unfinished/none.mov
refused "frames, counted from 0" ../unfinished/killed.mov --frame 100
refused "short.ktx2: it ends after 2000 bytes" short.ktx2
refused "short.png: no picture in it can be decoded" short.png
refused "none%d.png: no file has such a name" none%d.png
refused "the levels of both.ktx2 are 0 .. 3" both.ktx2 --mip 4
refused "both.ktx2 has 2 frames, counted from 0" both.ktx2 --frame 2
refused "this is a movie" pictures/1.png ../formats/hap.mov
[ ! -e x.png ] || fail "a picture of nothing is there"

echo passed
