# SPDX-License-Identifier: MIT
# sample_palette: no more colours than were asked for, by each dither, at odd sizes too; the row of colours shows those
# of the picture; kept colours and those that follow. bash sample_palette.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
pixels=$(dirname "$program")/e2e_pixels
hold sample_palette ffmpeg ffprobe
sample=$held/sample_palette

# colors FILE WIDTH FIRST LAST: the distinct colours of these lines, in order.
colors() {
    "$pixels" "$1" | od -An -v -t x4 -w4 | sed -n "$(($2 * $3 + 1)),$(($2 * $4))p" | sort -u
}

# expect_colors FILE WIDTH HEIGHT LEAST MOST: so many distinct colours in the whole picture.
expect_colors() {
    local number
    number=$(colors "$1" "$2" 0 "$3" | wc -l)
    [ "$number" -ge "$4" ] && [ "$number" -le "$5" ] || fail "$1 has $number colours, not $4 to $5"
    printf '%s: %s colours\n' "$1" "$number"
}

whole=243x137
[ -z "$samples_all" ] || whole=1280x720
render whole --validation --size $whole --colors 16 --no-strip
expect_colors whole.png ${whole%x*} ${whole#*x} 12 16
expect_passes whole.txt

# Each dither has the colours that were asked for, and another picture.
for dither in none ordered blue_noise; do
    render $dither --size 161x89 --colors 7 --no-strip --dither $dither
    expect_colors $dither.png 161 89 5 7
done
for pair in "none ordered" "none blue_noise" "ordered blue_noise"; do
    set -- $pair
    ! cmp -s "$1.png" "$2.png" || fail "$1 and $2 make the same picture"
done
# The row: its lines have the colours of the picture above them, and all of them but those that it hides.
render row --size 162x91 --colors 9 --dither none
top=$((91 - 91 / 15))
colors row.png 162 0 $top >above.colors
colors row.png 162 $top 91 >row.colors
[ "$(comm -23 above.colors row.colors | wc -l)" = 0 ] || fail "the row lacks colours of the picture"
[ "$(wc -l <row.colors)" -le 9 ] || fail "the row has $(wc -l <row.colors) colours"

# Mean shift: fewer colours from fewer, without a bound.
render shift8 --validation --size 161x89 --colors 8 --no-strip --method mean_shift
expect_colors shift8.png 161 89 2 16
if [ -n "$samples_all" ]; then
    render shift64 --size 161x89 --colors 64 --no-strip --method mean_shift
    expect_colors shift64.png 161 89 40 256
fi

# Kept colours are those of the first frame, and are not black in a later one; without, each frame has its own.
render first --validation --size 161x89 --fps 1 --colors 8 --no-strip --dither none --keep
render third --size 161x89 --frames 3 --fps 1 --colors 8 --no-strip --dither none
render kept --size 161x89 --frames 3 --fps 1 --colors 8 --no-strip --dither none --keep
expect_colors kept.png 161 89 5 8
colors first.png 161 0 89 >first.colors
[ -z "$(colors kept.png 161 0 89 | comm -13 first.colors -)" ] || fail "other colours than those of the first frame"
[ -n "$(colors third.png 161 0 89 | comm -13 first.colors -)" ] || fail "each frame has the colours of the first"
render full --size 161x89 --frames 3 --fps 1 --colors 256 --no-strip --dither none
expect_psnr third.png full.png 20
expect_psnr kept.png full.png 20

# Colours that follow: those of the first frame, as ever, and no others in a later one than were asked for.
render live --validation --size 161x89 --frames 3 --fps 1 --colors 8 --no-strip --live
expect_colors live.png 161 89 5 8
expect_psnr live.png full.png 20

for size in 1x1 3x5; do
    render small --validation --size $size --frames 2
    [ "$(field small.png width,height)" = "${size%x*},${size#*x}" ] || fail "a picture of another size than $size"
done
run_sample movie.txt --headless --size 192x108 --frames 3 --capture film.mov >/dev/null
expect_movie film.mov 192 108 3

expect_status 2 "colors" "$sample" --headless --colors 3
expect_status 2 "colors" "$sample" --headless --colors 257
expect_status 2 "method" "$sample" --headless --method median_cut
expect_status 2 "dither" "$sample" --headless --dither diffusion
expect_help
