#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode and bad input: a message that names it, the exit status, and nothing left behind.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

make good.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
make good.mp4 testsrc2=s=320x240:r=25:d=2 -c:v libx264 -pix_fmt yuv420p
make good.mkv testsrc2=s=320x240:r=25:d=2 -c:v ffv1
make good.jpg testsrc2=s=320x240:r=1:d=1 -frames:v 1
make sound.wav sine=d=0.2

# Input.
: >empty.png
half() { head -c $(($(stat -c %s "$1") / 2)) "$1" >"$2"; }
half good.png cut.png
half good.jpg cut.jpg
half good.mp4 cut.mp4
mkdir nothing other
echo text >other/notes.txt
head -c 5000 /dev/zero >zeroes.mov
expect_status 1 "missing.png: No such file" "$weir" transcode missing.png x.mov
expect_status 1 "empty.png is empty" "$weir" transcode empty.png x.mov
expect_status 1 "cut.png: .*cut short" "$weir" transcode cut.png x.mov
expect_status 1 "cut.jpg: .*cut short" "$weir" transcode cut.jpg x.mov
expect_status 1 "cut.mp4: .*cut short" "$weir" transcode cut.mp4 x.mov
expect_status 1 "zeroes.mov: no picture or movie" "$weir" transcode zeroes.mov x.mov
expect_status 1 "notes.txt: no picture or movie" "$weir" transcode other/notes.txt x.mov
expect_status 1 "sound.wav: no video stream" "$weir" transcode sound.wav x.mov
expect_status 1 "nothing: no picture in this folder" "$weir" transcode nothing x.mov
expect_status 1 "other: no picture in this folder" "$weir" transcode other x.mov
expect_status 1 "no file has such a name" "$weir" transcode f_%04d.png x.mov
expect_status 1 "no_such/: No such file" "$weir" transcode no_such/f_%04d.png x.mov
expect_no x.mov
if [ "$(id -u)" != 0 ]; then
    chmod 000 sound.wav
    expect_status 1 "Permission denied" "$weir" transcode sound.wav x.mov
fi

# What can be read of a movie that was cut short is kept, and told.
half good.mkv part.mkv
"$weir" transcode part.mkv part.mov 2>messages.txt
grep -q "should last" messages.txt || fail "a cut movie was taken in silence"
frames=$(field part.mov nb_read_frames)
[ "$frames" -ge 10 ] && [ "$frames" -lt 50 ] || fail "part.mov has $frames frames"

# Sound that is longer than the pictures is no damage. Some containers do not say which of the two is.
for container in mkv mov nut; do
    make long.$container "testsrc2=s=64x48:r=10:d=1[out0];sine=d=4[out1]" -c:v mjpeg -c:a pcm_s16le
    "$weir" transcode long.$container long_$container.mov 2>messages.txt
    expect_movie long_$container.mov 64 48 10
    case $container in
    nut) grep -q "should last [34]\.[0-9]* s; its sound is longer, or it is" messages.txt ;;
    *) ! grep -q "should last" messages.txt ;;
    esac || fail "$container of long sound: $(cat messages.txt)"
done

# A damaged picture among good ones is left out, and the others keep their times.
make s_%d.png testsrc2=s=64x48:r=25:d=0.2
half s_1.png cut_1.png
mv cut_1.png s_1.png
: >s_3.png
"$weir" transcode s_%d.png s.mov 2>messages.txt || fail "one bad picture ended a sequence"
expect_movie s.mov 64 48 3
grep -q "warning: s_1.png" messages.txt || fail "s_1.png was left out in silence: $(cat messages.txt)"
grep -q "2 damaged parts left out" messages.txt || fail "the summary is $(cat messages.txt)"

# Sizes, names and values.
expect_status 2 "each side 1 to 65535" "$weir" transcode good.png x.mov --size 0x0
expect_status 2 "each side 1 to 65535" "$weir" transcode good.png x.mov --size 70000x10
expect_status 2 "each side 1 to 65535" "$weir" transcode good.png x.mov --size wide
expect_status 1 "at most [0-9]* a side" "$weir" transcode good.png x.mov --size 65535x16
expect_status 2 'unknown codec "av1"; known: hap_q' "$weir" transcode good.png x.mov --codec av1
expect_status 2 'unknown decoder "cpu"; known: gpu, ffmpeg' "$weir" transcode good.png x.mov --decoder cpu
expect_status 2 "from 1 to 64" "$weir" transcode good.png x.mov --compression snappy --chunks 65
expect_status 2 "goes with --compression snappy" "$weir" transcode good.png x.mov --chunks 4
expect_status 2 "whole number" "$weir" transcode good.png x.mov --frames -3
expect_status 2 "a rate such as" "$weir" transcode good.png x.mov --fps 0
expect_status 2 "its name ends in .mov" "$weir" transcode good.png x.mkv
expect_status 2 "1 argument instead of 2" "$weir" transcode good.png
expect_status 2 "unknown option --speed" "$weir" transcode good.png x.mov --speed
expect_status 1 "no.*device" "$weir" transcode good.png x.mov --device 99
expect_no x.mov x.mkv

# Output.
expect_status 1 "no_folder" "$weir" transcode good.png no_folder/x.mov
expect_status 1 "good.png" "$weir" transcode good.png good.png/x.mov
mkdir folder.mov # is a folder all the same
"$weir" transcode good.png folder.mov --quiet
[ "$(ls folder.mov)" = good.mov ] || fail "a movie for a folder is $(ls folder.mov)"
cp good.mp4 same.mov
ln same.mov link.mov
expect_status 1 "is the input itself" "$weir" transcode same.mov same.mov
expect_status 1 "is the input itself" "$weir" transcode same.mov link.mov
cmp -s good.mp4 same.mov || fail "the input was changed"
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    expect_status 1 "Permission denied" "$weir" transcode good.png locked/x.mov
fi

# A full disk: what was written plays. Where not one frame fits, nothing is left.
expect_status 1 "plays" limited 1000 "$weir" transcode good.mp4 full.mov
frames=$(field full.mov nb_read_frames)
[ "$frames" -ge 5 ] && [ "$frames" -lt 50 ] || fail "full.mov has $frames frames"
expect_status 1 "error" limited 16 "$weir" transcode good.mp4 none.mov
expect_no none.mov
printf before >older.mov
expect_status 1 "error" limited 16 "$weir" transcode good.mp4 older.mov
[ "$(cat older.mov)" = before ] || fail "a transcode without a frame took the movie that was there"

# No Vulkan device.
for command in "info" "transcode good.png x.mov"; do
    # shellcheck disable=SC2086
    expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" $command
done
expect_no x.mov
echo passed
