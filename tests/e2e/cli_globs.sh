#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several inputs, as a shell makes them of shots/*.png, work where a folder of pictures does.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg

mkdir shots
make shots/a.png color=red:s=64x48:r=1:d=1 -frames:v 1
make shots/b.png color=lime:s=64x48:r=1:d=1 -frames:v 1
make shots/c.jpg color=blue:s=64x48:r=1:d=1 -frames:v 1

# A movie: as of the folder, in the order given, a picture as often as it is named.
"$weir" transcode shots shots.mov --fps 10 --quiet
"$weir" transcode shots/* glob.mov --fps 10 2>messages.txt
cmp glob.mov shots.mov || fail "shots/* is not the folder"
[ "$(wc -l <messages.txt)" = 2 ] || fail "more than a line and a summary: $(cat messages.txt)"
"$weir" transcode shots/c.jpg shots/a.png shots/c.jpg --frames 3 order.mov --quiet
[ "$(colours order.mov)" = "001 100 001 " ] || fail "the order given became $(colours order.mov)"
"$weir" transcode shots/a* one.mov --quiet
expect_movie one.mov 64 48 1

# Numbers without zeros, as a shell sorts them: the order stays, and one line tells of it.
for k in 1 2 10; do cp shots/a.png "shot_$k.png"; done
"$weir" transcode shot_1.png shot_10.png shot_2.png sorted.mov 2>messages.txt
[ "$(grep -c "shot_10.png comes before shot_2.png: the shell sorts" messages.txt)" = 1 ] ||
    fail "no word of the order: $(cat messages.txt)"
for order in "1 2 10" "10 2 1"; do
    # shellcheck disable=SC2086
    "$weir" transcode $(printf 'shot_%s.png ' $order) sorted.mov 2>messages.txt
    [ "$(wc -l <messages.txt)" = 2 ] || fail "the order $order is of no shell: $(cat messages.txt)"
done

# A damaged one is left out, as of a folder.
head -c 100 shots/b.png >cut.png
"$weir" transcode shots/a.png cut.png shots/c.jpg cut.mov 2>messages.txt
[ "$(colours cut.mov)" = "100 001 " ] || fail "the damaged picture became $(colours cut.mov)"
grep -q "cut.png: " messages.txt || fail "no word of the damage: $(cat messages.txt)"

# What is no picture among several, before anything is written.
make clip.mkv testsrc2=s=64x48:r=25:d=0.2 -c:v ffv1 -pix_fmt yuv420p
expect_table <<'LINES'
2|clip.mkv: pictures become one movie, but movies do not|transcode cut.png clip.mkv nothing.mov
1|shots: this is a folder, and several inputs must be pictures|transcode cut.png shots nothing.mov
1|cannot read missing.png: No such file|transcode cut.png missing.png nothing.mov
1|standard input is one input|transcode cut.png - nothing.mov
1|clip.mkv: this is a movie|texture shots/a.png clip.mkv nothing
1|clip.mkv: this is a movie|palette shots/a.png clip.mkv nothing
2|3 arguments instead of 2; |mips shots/a.png shots/b.png levels
LINES
expect_no nothing.mov nothing levels

# Textures and pictures of fewer colours: a file of each, as of the folder; one goes into a folder that is named as one.
for command in "texture --codec bc4 --effort fast" "palette" "palette --share"; do
    rm -rf of_folder of_glob of_one
    # shellcheck disable=SC2086
    "$weir" $command shots of_folder >stdout.txt
    # shellcheck disable=SC2086
    "$weir" $command shots/* of_glob >stdout.txt
    diff -r of_folder of_glob || fail "$command of shots/* is not that of the folder"
    [ "$(find of_glob -type f | wc -l)" = 3 ] || fail "$command made $(ls of_glob)"
    grep -q "^of_glob: 3 of 3 pictures" stdout.txt || fail "$command says $(cat stdout.txt)"
    # shellcheck disable=SC2086
    "$weir" $command shots/a* of_one/ >stdout.txt
    [ "$(ls of_one)" = "$(basename of_folder/a*)" ] || fail "$command of one picture made $(ls of_one)"
done
"$weir" texture shots/a.png a.dds --codec bc4 --effort fast >stdout.txt
"$weir" texture shots/b.png b.ktx2 --codec bc4 --effort fast >stdout.txt
"$weir" texture a.dds b.ktx2 rewrapped/ --container ktx >stdout.txt
[ "$(ls rewrapped)" = "a.ktx"$'\n'"b.ktx" ] || fail "textures became $(ls rewrapped)"
mkdir other
cp shots/a.png other/
expect_status 1 "is also that of shots/a.png; rename one of the two" "$weir" texture shots/a.png other/a.png rivals --codec bc4 --effort fast
echo passed
