#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette of movies, and of pictures that become one.
source "$(dirname "$0")/cli_palette_common.sh"
hold weir ffmpeg ffprobe

# A movie: frames as pictures are, by frequency, and alpha says nothing. All pictures that a movie should have, of all
# options, become one movie behind those that are not reduced.
mkdir frames all clear opaque
make frames/f_%d.png testsrc2=s=48x32:r=3:d=1 -pix_fmt rgb24
for frame in 1 2 3; do cp frames/f_$frame.png all/f_$frame.png; done
radius="at radius [0-9.]*, [0-9]* steps\?"
num=0 validation=(--validation)
while IFS=: read -r -u 3 options line; do
    num=$((num + 1))
    # shellcheck disable=SC2086
    "$weir" palette frames movie_$num.mov $options "${validation[@]}" >stdout.txt 2>stderr.txt || fail "movie: $(cat stderr.txt)"
    expect_movie movie_$num.mov 48 32 3
    validation=()
    grep -q "^movie_$num.mov: $line" stdout.txt || fail "$(cat stdout.txt)"
    grep -q "^movie_$num.mov: 3 frames, 48x32, HapY" stderr.txt || fail "$(cat stderr.txt)"
    # shellcheck disable=SC2086
    palette frames reduced --weight frequency $options
    for frame in 1 2 3; do cp reduced/f_$frame.png all/f_$((3 * num + frame)).png; done
done 3<<END
:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--radius 0.05 --light srgb --limit 2:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--table:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--colors 4 --dither ordered:[0-9. ]* colours -> 4 by k-means
--colors 4 --share:one palette, [0-9]* colours -> 4 by k-means
END
"$weir" transcode all pictures.mov --quiet || fail "no movie of reduced pictures"
expect_movie pictures.mov 48 32 $((3 * num + 3))
pixels pictures.mov | split -b $((4 * 48 * 32 * 3)) -a 1 -d - pictures.raw.
for ((i = 1; i <= num; i++)); do
    cmp <(pixels movie_$i.mov) pictures.raw.$i || fail "frames are not what pictures are (movie_$i.mov)"
    ! cmp -s pictures.raw.0 pictures.raw.$i || fail "frames are not reduced"
done
ffmpeg -nostdin -v error -y -i picture.png -pix_fmt rgba \
    -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='2*X'" clear/p.png
filtered clear/p.png opaque/p.png null -pix_fmt rgb24
expect_status 0 "its alpha is left out" "$weir" palette clear clear.mov
"$weir" palette opaque opaque.mov 2>/dev/null >stdout.txt
cmp <(pixels clear.mov) <(pixels opaque.mov) || fail "alpha changes the colours of a movie"
make clip.mkv testsrc2=s=80x48:r=25:d=1 -frames:v 5 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
"$weir" palette clip.mkv clip.mov >stdout.txt 2>stderr.txt || fail "clip.mov: $(cat stderr.txt)"
expect_movie clip.mov 80 48 5
expect_psnr clip.mov clip.mkv 20

# The way to a GIF file that the manual names: the same colours.
palette frames few --share --colors 256
ffmpeg -nostdin -v error -y -framerate 10 -i few/f_%d.png -lavfi \
    "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none" few.gif
cmp <(pixels few.gif) <("$printer" few/f_1.png few/f_2.png few/f_3.png) ||
    fail "few.gif has other colours than its pictures"
echo passed
