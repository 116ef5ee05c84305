#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode of pixels that are not square: made square, or kept, in the movie as it grows and as it is closed.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# expect_shape MOVIE WIDTH HEIGHT ASPECT
expect_shape() {
    local what
    expect_decodes "$1"
    what=$(field "$1" width,height,sample_aspect_ratio)
    [ "${what/N\/A/1:1}" = "$2,$3,$4" ] || fail "$1 is $what and should be $2,$3,$4"
}

make wide.mkv testsrc2=s=90x72:r=5:d=1,setsar=16/11 -c:v ffv1
expect_status 0 "its pixels are 1.455 times as wide as high; frames are scaled from 90x72 to 131x72" \
    "$weir" transcode wide.mkv square.mov
expect_shape square.mov 131 72 1:1
"$weir" transcode wide.mkv own.mov --size 90x72 2>messages.txt
expect_shape own.mov 90 72 1:1
! grep -q "are scaled" messages.txt || fail "--size chose the shape: $(cat messages.txt)"
make high.mkv testsrc2=s=64x48:r=25:d=0.08,setsar=1/2 -c:v ffv1
"$weir" transcode high.mkv high.mov --quiet
expect_shape high.mov 64 96 1:1
"$weir" transcode wide.mkv kept.mov --pixel-aspect keep 2>messages.txt
expect_shape kept.mov 90 72 16:11
! grep -q "are scaled" messages.txt || fail "told of scaling: $(cat messages.txt)"
expect_psnr kept.mov wide.mkv 30
# Square pixels need no box, and the movie is what it was.
make plain.mkv testsrc2=s=90x72:r=5:d=1 -c:v ffv1
"$weir" transcode plain.mkv plain.mov --quiet
"$weir" transcode plain.mkv plain_kept.mov --pixel-aspect keep --quiet
cmp plain.mov plain_kept.mov || fail "a movie of square pixels is another"
! grep -q pasp plain.mov || fail "square pixels are told"

# The picture keeps its shape at another size, and turned.
"$weir" transcode wide.mkv out.mov --pixel-aspect keep --size 45x72 --quiet
expect_shape out.mov 45 72 32:11
"$weir" transcode wide.mkv out.mov --pixel-aspect keep --size 131x72 --quiet
expect_shape out.mov 131 72 1440:1441
make wide.mp4 testsrc2=s=90x72:r=5:d=1,setsar=16/11 -c:v libx264 -pix_fmt yuv420p
note_turn wide.mp4 90 turned.mp4
"$weir" transcode turned.mp4 out.mov --pixel-aspect keep --quiet
expect_shape out.mov 72 90 11:16
"$weir" transcode turned.mp4 out.mov --quiet
expect_shape out.mov 72 131 1:1

# The movie as it grew has it too, and so has one whose head is lost.
moov=$(grep -abo moov kept.mov | tail -n 1 | cut -d: -f1)
head -c $((moov - 4)) kept.mov >cut.mov
"$weir" recover cut.mov grown.mov >/dev/null 2>&1
expect_shape grown.mov 90 72 16:11
cp kept.mov headless.mov
zero headless.mov 0 1200
"$weir" recover headless.mov salvaged.mov >/dev/null 2>messages.txt || fail "not recovered: $(cat messages.txt)"
expect_shape salvaged.mov 90 72 16:11
# What is no ratio is none.
make odd.mkv testsrc2=s=90x72:r=5:d=1,setsar=9/1 -c:v ffv1
"$weir" transcode odd.mkv out.mov --pixel-aspect keep --quiet
expect_shape out.mov 90 72 1:1
echo passed
