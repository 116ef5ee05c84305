# SPDX-License-Identifier: MIT
# sample_mips: levels are means of the picture's blocks, by FFmpeg and, of odd sides, by the definition; the difference
# to what is exact is seen where there is one; levels on the plane follow each other.
# WEIR_SEED draws a picture that is a texel wide. bash sample_mips.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
pixels=$(dirname "$program")/e2e_pixels
hold sample_mips ffmpeg ffprobe
sample=$held/sample_mips
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"

# render NAME ARGUMENTS...: NAME.png
render() {
    local name=$1
    shift
    run_sample "$name.txt" --headless --frames 1 --picture "$name.png" "$@" >/dev/null
}

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

# Odd sides, by the definition in 64-bit floats: codes and light.
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=64x40,format=rgb24,noise=alls=60:all_seed=8,crop=61:39 -frames:v 1 -pix_fmt rgb24 odd.png
"$pixels" odd.png >odd.raw
for light in codes light; do
    flag=--codes
    [ $light = codes ] || flag=
    render odd_$light --size 61x39 --input odd.png --level 2 $flag
    "$pixels" odd_$light.png >odd_$light.raw
    judge $light <<'end' || fail "level 2 of odd sides, of $light"
import sys
light = sys.argv[1] == "light"
decode = lambda c: c if not light else c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
encode = lambda v: v if not light else v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
raw, shown = open("odd.raw", "rb").read(), open(f"odd_{sys.argv[1]}.raw", "rb").read()
def taps(i, side):
    half = side // 2
    if side % 2 == 0:
        return [(2 * i, 0.5), (2 * i + 1, 0.5)]
    return [(2 * i, (half - i) / side), (2 * i + 1, half / side), (2 * i + 2, (i + 1) / side)]
most = 0
for channel in range(3):
    width, height = 61, 39
    level = [[decode(raw[4 * (y * width + x) + channel] / 255) for x in range(width)] for y in range(height)]
    for _ in range(2):
        level = [[sum(a * b * level[y][x] for y, a in taps(v, height) for x, b in taps(u, width))
                  for u in range(width // 2)] for v in range(height // 2)]
        width, height = width // 2, height // 2
    for y in range(39):
        for x in range(61):
            u, v = int((x + 0.5) / 61 * width), int((y + 0.5) / 39 * height)
            most = max(most, abs(255 * encode(level[v][u]) - shown[4 * (y * 61 + x) + channel]))
print(f"level 2 of odd sides, {sys.argv[1]}: within {most:.2f} codes of the definition")
sys.exit(most > 1.5)
end
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
    run_sample small.txt --headless --validation --size ${small% *} --frames 2 --view ${small#* } --level 31 >/dev/null
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
