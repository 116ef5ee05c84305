#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture, palette and mips take a picture from standard input, and make of it what they make of the file.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir

to=(-map 0 -frames:v 1)
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=70x50:r=25:d=0.2 "${to[@]}" one.png "${to[@]}" one.jpg "${to[@]}" one.bmp \
    "${to[@]}" -pix_fmt rgba64be sixteen.png "${to[@]}" -pix_fmt rgb48le sixteen.tif "${to[@]}" -pix_fmt gbrpf32le floats.exr \
    -map 0 -c:v mjpeg clip.mp4 # whose index is at its end

# By a pipe, and as a file that is standard input. How a picture is read does not depend on the command.
from_pipe() { cat "$1" | "$weir" "${@:2}" >/dev/null; }
from_file() { "$weir" "${@:2}" <"$1" >/dev/null; }
way=from_pipe
for file in one.png sixteen.png one.jpg sixteen.tif one.bmp floats.exr clip.mp4; do
    encoder=("${soonest[@]}")
    [ $file != floats.exr ] || encoder=(--codec bc6h --effort fast)
    "$weir" texture $file named.ktx2 "${encoder[@]}" >/dev/null
    $way $file texture - given.ktx2 "${encoder[@]}"
    cmp named.ktx2 given.ktx2 || fail "$file becomes another texture ($way)"
    if [ $way = from_pipe ]; then way=from_file; else way=from_pipe; fi
done
for way in from_pipe from_file; do
    for file in sixteen.png clip.mp4; do
        rm -rf named given
        "$weir" mips $file named --method per_level >/dev/null
        $way $file mips - given --method per_level
        for level in named/*; do
            level=${level#named/"${file%.*}"}
            cmp "named/${file%.*}$level" "given/stdin$level" || fail "$file has other levels ($way)"
        done
        [ "$(ls -A named | wc -l)" = "$(ls -A given | wc -l)" ] || fail "other levels: $(ls -A given)"
    done
    $way one.jpg palette - $way.png --colors 8
done
"$weir" palette one.jpg named.png --colors 8 >/dev/null
cmp named.png from_pipe.png && cmp named.png from_file.png || fail "one.jpg has another palette"

# Textures, which are no pictures of FFmpeg's.
"$weir" texture one.png one.ktx2 "${soonest[@]}" >/dev/null
"$weir" texture one.ktx2 named.dds >/dev/null
cat one.ktx2 | "$weir" texture - piped.dds >/dev/null
cmp named.dds piped.dds || fail "another texture when rewrapped"
"$weir" texture --decode one.ktx2 named.png --mip 0 >/dev/null
cat one.ktx2 | "$weir" texture --decode - piped.png --mip 0 >/dev/null
cmp named.png piped.png || fail "another picture when decoded"

# Into a folder, and as a movie, which is read while it comes.
cat one.png | "$weir" texture - folder/ "${soonest[@]}" >/dev/null
cat one.png | "$weir" palette - folder/ --colors 8 >/dev/null
[ "$(ls -A folder | xargs)" = "stdin.ktx2 stdin.png" ] || fail "the folder has $(ls -A folder)"
ffmpeg -nostdin -v error -i clip.mp4 -c copy -f nut - | "$weir" palette - movie.mov --colors 8 >/dev/null 2>&1
expect_movie movie.mov 70 50 5

# What is not read is told, and nothing is written.
expect_status 1 "/dev/stdin is empty" "$weir" texture - none.ktx2 </dev/null
expect_status 1 "/dev/stdin.* is empty" "$weir" mips - none < <(true)
expect_status 1 "cannot read standard input: Bad file descriptor" "$weir" palette - none.png <&-
expect_status 1 "cannot read standard input: Is a directory" "$weir" texture - none.ktx2 <.
expect_status 1 "/dev/stdin: FFmpeg cannot read it as a picture or movie" "$weir" texture - none.ktx2 < <(echo text)
expect_status 1 "/dev/stdin: .*cut short" "$weir" texture - none.ktx2 < <(head -c 300 one.png)
expect_status 1 "standard input has more than the 1 MiB of memory that are allowed.*--max-memory" \
    "$weir" texture - none.ktx2 --max-memory 1M < <(head -c 1100000 /dev/zero)
expect_status 1 "standard input is one input" "$weir" texture one.png - none/ <one.png
cp one.ktx2 same.ktx2
expect_status 1 "same.ktx2 is the input itself (/dev/stdin)" "$weir" texture - same.ktx2 <same.ktx2
cmp one.ktx2 same.ktx2 || fail "the input was changed"
expect_no none none.ktx2 none.png
echo passed
