# SPDX-License-Identifier: MIT
# The minimal samples: short texts, and what each makes. bash sample_minimal.sh MINIMAL_CAPTURE FOLDER
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/sample_common.sh"

# short FEWER FILE...: together the files have fewer lines.
short() {
    local lines
    lines=$(cat "${@:2}" | wc -l)
    [ "$lines" -lt "$1" ] || fail "${*:2}: $lines lines, and fewer than $1 are wanted"
}
texts=$here/../../samples/minimal
short 600 "$texts/host.c" "$texts/host.h" "$texts/window.c" "$texts/commands.c"
for name in capture audio mips encode palette; do
    short 150 "$texts/$name.c"
done

# Of the samples the fault is told, and nothing is left behind.
status=0
"$program" none.mov --headless --frames 1 --size 16x16 >log.txt 2>&1 || status=$?
! grep -q "no Vulkan device\|vkCreateInstance" log.txt || skip "$(cat log.txt)"
[ $status = 0 ] || fail "$(cat log.txt)"
hold minimal_capture minimal_audio minimal_mips minimal_encode minimal_palette ffmpeg ffprobe
run() {
    sample=$held/minimal_$1
    run_sample log.txt --headless --validation "${@:2}"
}
for words in "--frames 0" "--frames 9k" "--frames" "--size 10" "--size 0x9" "--size 9x9x9" "--device x" "--unknown"; do
    expect_status 2 "by default" "$held/minimal_capture" no.mov $words
done
expect_status 1 "no Vulkan device 99" "$held/minimal_mips" no --device 99
expect_status 1 "nowhere/no.mov" "$held/minimal_capture" nowhere/no.mov --headless --frames 2 --size 16x16
for name in encode palette; do
    expect_status 1 "nowhere/no.png" "$held/minimal_$name" nowhere/no.png --size 16x16
done
expect_status 1 "headless" env -u DISPLAY -u WAYLAND_DISPLAY "$program" no.mov
expect_no no.mov no.0.png nowhere

run capture film.mov --frames 25 --size 320x180
expect_pictures film.mov 320 180 25
run capture odd.mov --frames 3 --size 203x117
expect_pictures odd.mov 203 117 3

# A tone: 440 periods a second in both channels, without a seam, as long as the frames.
run audio tone.mov --frames 61 --size 203x117
expect_pictures tone.mov 203 117 61
what=$(ffprobe -v error -select_streams a -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 tone.mov)
[ "$what" = pcm_s16le,48000,2 ] || fail "the sound is $what"
ffmpeg -nostdin -v error -i tone.mov -f s16le - | od -An -v -td2 -w4 | awk '
    $1 != $2 { apart = " channels apart" }
    NR > 1 && ($1 - last > 470 || last - $1 > 470) { seam = " seam" }
    NR > 1 && last < 0 && $1 >= 0 { ++periods }
    $1 > peak { peak = $1 }
    { last = $1 }
    END { print NR, periods, peak apart seam }' >tone.txt
# 61 frames of 800 samples; the first period begins with the movie and crosses nothing.
[ "$(cat tone.txt)" = "48800 447 8000" ] || fail "samples, periods and peak are $(cat tone.txt)"

# Every level has the mean of the picture, in linear light, and its own size. Rounding to codes moves it by less
# than one of them; where codes are averaged it is lower.
run mips levels --frames 25 --size 203x117
mean() {
    ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 | awk '
        BEGIN { for (i = 0; i < 256; ++i) light[i] = i <= 10 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ^ 2.4 }
        { for (i = 1; i <= 3; ++i) sum[i] += light[$i] }
        END { for (i = 1; i <= 3; ++i) printf "%.3f ", 255 * (1.055 * (sum[i] / NR) ^ (1 / 2.4) - 0.055) }'
}
first=$(mean levels.0.png) level=0
for size in 203,117 101,58 50,29 25,14 12,7 6,3 3,1 1,1; do
    [ "$(field levels.$level.png width,height)" = $size ] || fail "level $level is not $size"
    is=$(mean levels.$level.png)
    awk -v a="$is" -v b="$first" 'BEGIN {
        n = split(a, x); split(b, y)
        for (i = 1; i <= 3; ++i) if (n != 3 || x[i] - y[i] > 1 || y[i] - x[i] > 1) exit 1
    }' || fail "level $level has the mean $is in place of $first"
    level=$((level + 1))
done
expect_no levels.8.png

# The last frame of a movie is the picture of that number.
run capture film.mov --frames 25 --size 203x117
expect_last film.mov 24 levels.0.png 44

# BC7, read from a compressed image: close to the source.
run encode blocks.png --frames 25 --size 203x117
grep -q "^blocks.png: $((51 * 30 * 16)) bytes" log.txt || fail "the blocks have another size: $(cat log.txt)"
expect_psnr blocks.png levels.0.png 52

# Sixteen colours, those that are printed, and a picture that is the source by and large.
run palette colors.png --frames 25 --size 203x117
ffmpeg -nostdin -v error -i colors.png -f rawvideo -pix_fmt rgb24 - | od -An -v -tx1 -w3 | tr -d ' ' | sort -u >used.txt
grep -o '#[0-9a-f]\{6\}' log.txt | tr -d '#' | sort -u >told.txt
[ "$(wc -l <told.txt)" = 16 ] || fail "$(wc -l <told.txt) colours are told"
cmp used.txt told.txt || fail "the picture has other colours than those that are told: $(xargs <used.txt)"
expect_psnr colors.png levels.0.png 31

# The smallest image, in each.
for name in capture audio mips encode palette; do
    run $name small.$name --frames 2 --size 1x1
done
expect_movie small.capture 1 1 2
expect_movie small.audio 1 1 2
