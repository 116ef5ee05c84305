# SPDX-License-Identifier: MIT
# sample_hiz: a picture with culling is that without, to the bit, at even and odd sizes; a wrong pyramid loses boxes at odd
# ones; most boxes are culled. WEIR_SEED draws the size and the time of one case. bash sample_hiz.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_hiz ffmpeg ffprobe
sample=$held/sample_hiz
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"

# at NAME SIZE FRAMES ARGUMENTS...: NAME.png, at `rate` frames a second of the way.
rate=1
at() { render "$1" --size "$2" --frames "$3" --fps $rate "${@:4}"; }

# expect_same SIZE FRAMES ARGUMENTS...: the picture with these arguments is that of all boxes.
expect_same() {
    at culled "$@"
    at all "$@" --no-culling
    cmp culled.png all.png || fail "$*: culling changes the picture (WEIR_SEED=$seed)"
    printf '%s: the picture of all boxes\n' "$*"
}

# magenta PICTURE: how many of its texels are marked as lost, in its left half and in its right.
magenta() {
    ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -t u1 -w$((3 * $(field "$1" width))) | awk '
        { for (i = 0; i < NF; i += 3) if ($(i + 1) > 150 && $(i + 2) < 90 && $(i + 3) > 100) ++num[i >= NF / 2] }
        END { print num[0] + 0, num[1] + 0 }'
}

# The first frame sees every box anew; later ones have moved on by 11 m each.
whole=480x270
[ -z "$samples_all" ] || whole=1280x720
expect_same $whole 3
[ "$(field culled.png width,height)" = ${whole/x/,} ] || fail "a picture of another size"
expect_same 321x179 1
expect_same 320x180 4
[ -z "$samples_all" ] || expect_same 639x359 4
expect_same $((64 + seed % 300))x$((64 + seed / 300 % 200)) $((1 + seed % 9)) --boxes $((1 + seed % 2000))0 --validation
at few 60x36 2 --boxes 1 --validation
at few 60x36 2 --boxes 1000 --wrong --validation

# Two seconds of the way: most of the city is culled, and most of what is in view is hidden.
rate=6
at right 639x359 13 --validation
read -r boxes drawn outside hidden <<<"$(sed -n \
    's/^13 frames of \([0-9]*\) boxes: \([0-9]*\) drawn.*(\([0-9]*\) outside the view, \([0-9]*\) hidden)/\1 \2 \3 \4/p' right.txt)"
[ "$boxes" = 50000 ] && [ $((boxes - drawn)) -gt $((boxes * 9 / 10)) ] && [ "$hidden" -gt $((drawn * 2)) ] ||
    fail "of $boxes boxes $drawn are drawn, $outside outside, $hidden hidden"
printf '%s boxes: %s drawn, %s outside the view, %s hidden\n' "$boxes" "$drawn" "$outside" "$hidden"

# A pyramid that drops odd rows and columns loses boxes, which are marked in the right half; the left is the picture as it
# was. Of a size that halves without a rest it loses none.
rate=2 # at the same time
at wrong 639x359 5 --wrong --validation
read -r left lost <<<"$(magenta wrong.png)"
[ "$left" = 0 ] && [ "$lost" -gt 100 ] || fail "$left texels are marked at the left, $lost at the right"
printf '%s texels of lost boxes\n' "$lost"
for name in right wrong; do
    ffmpeg -nostdin -v error -i $name.png -vf crop=319:359:0:0 -f rawvideo -pix_fmt rgb24 - >$name.left
done
cmp right.left wrong.left || fail "--wrong changes the left half"
rate=1
at even 512x256 3 --wrong
[ "$(magenta even.png)" = "0 0" ] || fail "boxes are lost at 512x256"

# From above only what was chosen is there.
at above 320x180 3 --freeze 2 --validation
at above_all 320x180 3 --freeze 2 --no-culling
! cmp -s above.png above_all.png || fail "from above nothing is missing"

thin=(1x1 3x301)
at thin "${thin[seed % 2]}" 2 --boxes 5000 --validation
# A movie: every frame of the way is that of all boxes.
for name in film all; do
    culling=
    [ $name = film ] || culling=--no-culling
    run_sample $name.txt --headless --validation --size 193x107 --frames 12 --fps 4 --boxes 20000 --capture $name.mov $culling
    expect_movie $name.mov 193 107 12
    ffmpeg -nostdin -v error -i $name.mov -c copy -f framemd5 $name.md5
done
cmp film.md5 all.md5 || fail "a frame of the movie is another with culling"
expect_counts film.txt
expect_passes film.txt "choose what was visible" "depth pyramid" "choose what has become visible" show

expect_status 2 "boxes" "$sample" --headless --boxes 0
expect_status 2 "boxes" "$sample" --headless --boxes 1000001
expect_status 2 "freeze" "$sample" --headless --freeze
expect_help
