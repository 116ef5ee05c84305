# SPDX-License-Identifier: MIT
# sample_bloom's pictures: bloom lights what is beside bright things and nothing else, depth of field takes
# the detail of what is out of focus, leaves it in what is in focus, and has no seams. bash bloom_pictures.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_bloom ffmpeg ffprobe
sample=$held/sample_bloom

# at NAME ARGUMENTS...: NAME.png, at the beginning of the scene.
at() { render "$1" --size 640x360 --fps 1 --no-adapt "${@:2}"; }

# gray PICTURE FILTER: its brightness, a line a row.
gray() {
    ffmpeg -nostdin -v error -i "$1" -vf "$2,format=gray" -f rawvideo - | od -An -v -t u1 -w"$3"
}

# detail PICTURE WIDTH:HEIGHT:X:Y: the mean square of the steps from texel to texel of a region.
detail() {
    gray "$1" "crop=$2" "${2%%:*}" | awk '
        { for (i = 2; i <= NF; ++i) { d = $i - $(i - 1); sum += d * d; ++num } }
        END { printf "%.3f", sum / num }'
}

at none --no-bloom --no-dof
[ "$(field none.png codec_name,width,height)" = png,640,360 ] || fail "none.png is $(field none.png codec_name,width,height)"
at bloom --no-dof
at four --no-dof --taps 4
at dof --no-bloom
at far --no-bloom --focus 12.5
at both --validation

# Bloom, on a picture of 80x45: what was dark within two texels of a bright one, and what was dark far away.
for name in bloom four; do
    paste -d ' ' <(gray none.png scale=80:45:flags=area 80) <(gray $name.png scale=80:45:flags=area 80) | awk '
        {
            for (x = 1; x <= 80; ++x) { before[x, NR] = $x; after[x, NR] = $(x + 80) }
        }
        END {
            for (y = 1; y <= 45; ++y) for (x = 1; x <= 80; ++x) {
                if (after[x, y] < before[x, y] - 1) ++darker
                if (before[x, y] > 100) continue
                bright = 0
                for (v = -5; v <= 5; ++v) for (u = -5; u <= 5; ++u)
                    if (before[x + u, y + v] > 150) {
                        reach = u * u + v * v <= 4 ? 2 : 1
                        if (reach > bright) bright = reach
                    }
                if (bright == 2) { near += after[x, y] - before[x, y]; ++num_near }
                if (bright == 0) { away += after[x, y] - before[x, y]; ++num_away }
            }
            printf "%d %.3f %.3f\n", darker, near / num_near, away / num_away
        }' >$name.values
    read -r darker near away <$name.values
    compare "texels that $name made darker" "$darker" == 0
    compare "$name beside what is bright" "$near" ">" 4
    compare "$name beside what is bright, to that far from it" "$near" ">" "$(awk "BEGIN { print 2.5 * $away }")"
done

# Depth of field: the knot is in focus at 8.2, the display behind it at 12.5.
knot=100:110:265:85 display=120:70:405:135
knot_sharp=$(detail none.png $knot) display_sharp=$(detail none.png $display)
share() { awk "BEGIN { printf \"%.3f\", $1 / $2 }"; }
compare "detail of the knot in focus" "$(share "$(detail dof.png $knot)" "$knot_sharp")" ">" 0.35
compare "detail of the knot out of focus" "$(share "$(detail far.png $knot)" "$knot_sharp")" "<" 0.20
compare "detail of the display in focus" "$(share "$(detail far.png $display)" "$display_sharp")" ">" 0.50
compare "detail of the display out of focus" "$(share "$(detail dof.png $display)" "$display_sharp")" "<" 0.25

# A wider picture shows the same middle. Depth of field looks for circles in tiles that begin at the picture's
# edge, and the middle must not show where they lie: tiles of 16 texels are moved by half a tile.
middle() {
    ffmpeg -nostdin -v error -i "$1.png" -i "$2.png" -filter_complex \
        "[0]format=rgb24,crop=928:540[a];[1]format=rgb24,crop=928:540[b];[a][b]blend=all_mode=difference,format=rgb24" \
        -f rawvideo - | od -An -v -t u1 -w1 | awk '$1 > most { most = $1 } END { print most + 0 }'
}
frames=$((1 + ${WEIR_SEED:-$RANDOM} % 2)) # one of two moments
for width in 960 976; do
    render seam$width --size ${width}x540 --frames $frames --fps 1 --no-bloom --no-adapt
done
compare "codes by which the middle of a picture 16 wider differs, $frames frames" "$(middle seam960 seam976)" "<" 32

# Switched by themselves, strength 0 is no bloom, and the pictures repeat.
at weak --strength 0 --no-dof
cmp weak.png none.png || fail "bloom of strength 0 changes the picture"
at again
cmp again.png both.png || fail "two pictures of the same frame differ"
for pair in "none bloom" "bloom four" "none dof" "bloom both" "dof both"; do
    set -- $pair
    ! cmp -s "$1.png" "$2.png" || fail "$1.png and $2.png are the same"
done
