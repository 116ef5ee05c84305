# SPDX-License-Identifier: MIT
# sample_mips: levels are means of the picture's blocks, by FFmpeg; the difference to what is exact is seen where there is one,
# of odd sides too; levels on the plane follow each other. WEIR_SEED draws a picture that is a texel wide.
# bash sample_mips.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
pixels=$(dirname "$program")/e2e_pixels
hold sample_mips ffmpeg ffprobe
sample=$held/sample_mips
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"

# error FILE: the mean and the largest value of a picture.
error() {
    "$pixels" "$1" | od -An -v -t u1 -w4 | awk '
        { for (i = 1; i <= 3; ++i) { sum += $i; if ($i > most) most = $i } }
        END { printf "%.0f %d\n", sum / NR / 3, most }'
}

# Whole blocks, by FFmpeg's area scaler, plane by plane: within a code, and each texel a block of one colour.
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=320x192,noise=alls=60:all_seed=7 -frames:v 1 -pix_fmt rgb24 even.png
for level in 1 5; do
    side=$((1 << level))
    render flat --size 320x192 --input even.png --codes --level $level
    ffmpeg -nostdin -v error -y -i even.png -i flat.png -filter_complex "
        [0]format=gbrp,scale=$((320 / side)):$((192 / side)):flags=area+accurate_rnd,format=gbrp[a];
        [1]format=gbrp,split[c][d];[c]scale=$((320 / side)):$((192 / side)):flags=neighbor,format=gbrp,split[b][e];
        [e]scale=320:192:flags=neighbor,format=gbrp[f];
        [a][b]blend=all_mode=difference[x];[d][f]blend=all_mode=difference[y]" \
        -map "[x]" -pix_fmt rgb24 means.png -map "[y]" -pix_fmt rgb24 blocks.png
    read -r _ most <<<"$(error means.png)"
    [ "$most" -le 1 ] || fail "level $level is $most codes from FFmpeg's"
    read -r _ most <<<"$(error blocks.png)"
    [ "$most" = 0 ] || fail "level $level is not shown in blocks"
    printf 'level %s: within a code of FFmpeg'"'"'s\n' "$level"
done

# The difference, 16 times: nearly black for what is exact, at odd sizes too; seen for what is not.
render single --validation --size 321x179 --level 3 --view difference
render per_level --size 321x179 --level 3 --view difference --method per_level --codes
render general --size 321x179 --level 3 --view difference --method general
for name in single per_level general; do
    read -r mean most <<<"$(error $name.png)"
    [ "$mean" -le 8 ] && [ "$most" -le 32 ] || fail "$name differs: mean $mean, most $most of 16 a code"
done
render blit --validation --size 321x179 --level 3 --view difference --method blit
render max --size 321x179 --level 3 --view difference --method per_level --reduction max
for name in blit max; do
    read -r mean most <<<"$(error $name.png)"
    [ "$mean" -ge 20 ] && [ "$most" -ge 160 ] || fail "$name differs too little: mean $mean, most $most"
done

# Split: the left half is the one method, the right half the other.
render one --size 321x179 --level 3
render two --size 321x179 --level 3 --method blit
render split --validation --size 321x179 --level 3 --view split
same() {
    local half=format=rgb24,crop=150:179:$2:0
    ffmpeg -nostdin -v error -y -i split.png -i "$1.png" -filter_complex "[0]$half[a];[1]$half[b]" \
        -map "[a]" -f rawvideo a.raw -map "[b]" -f rawvideo b.raw
    cmp -s a.raw b.raw
}
same one 0 && same two 171 || fail "a half of the split view is of another method"
! same one 171 || fail "both methods make the same"

# The plane, of a white picture: hues from red to blue, from the bottom to the horizon, in the order of the levels,
# which are 0.08 apart.
ffmpeg -nostdin -v error -f lavfi -i color=white:s=1000x1000 -frames:v 1 -pix_fmt rgb24 white.png
render plane --validation --size 640x360 --input white.png --view plane --level 0
"$pixels" plane.png >plane.raw
judge <<'end' || fail "the levels on the plane do not follow each other"
import colorsys
raw = open("plane.raw", "rb").read()
hues = []
for y in range(359, 147, -1):
    row = [raw[4 * (640 * y + x):4 * (640 * y + x) + 3] for x in range(400, 600, 4)]
    hues.append(colorsys.rgb_to_hsv(*max(row, key=sum))[0]) # of a light square: haze colours the dark ones
back = max(max(hues[:i + 1]) - hue for i, hue in enumerate(hues))
levels = {round(hue / 0.08) for hue in hues if abs(hue / 0.08 - round(hue / 0.08)) < 0.2}
print(f"hues {hues[0]:.2f} to {hues[-1]:.2f}, back by {back:.3f}, levels {sorted(levels)}")
assert hues[0] < 0.06 and hues[-1] > 0.45 and back < 0.04 and len(levels) >= 6
end

thin=("1x1 flat" "1x1 difference" "1x7 split") # kernels are compiled again for each
[ -n "$samples_all" ] || thin=("${thin[seed % 3]}")
for small in "${thin[@]}" "3x5 plane"; do
    render small --validation --size ${small% *} --frames 2 --view ${small#* } --level 31
done
run_sample movie.txt --headless --size 192x108 --frames 3 --view plane --capture film.mov >/dev/null
expect_movie film.mov 192 108 3
expect_passes movie.txt

expect_status 2 "level" "$sample" --headless --level 32
expect_status 2 "method" "$sample" --headless --method best
expect_status 2 "reduction" "$sample" --headless --reduction custom
expect_status 2 "view" "$sample" --headless --view round
expect_status 1 "no/such.png" "$sample" --headless --input no/such.png
expect_status 1 "movie.txt" "$sample" --headless --input movie.txt
head -c 300 even.png >cut.png
expect_status 1 "cut.png" "$sample" --headless --input cut.png
expect_status 1 "weir_pyramid_target_create" "$sample" --headless --size 321x179 --method fast
expect_status 1 "weir_pyramid_create" "$sample" --headless --size 64x64 --method blit --reduction max
expect_help
