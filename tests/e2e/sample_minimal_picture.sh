# SPDX-License-Identifier: MIT
# The picture of the minimal samples, for their tests. Sourced after sample_common.sh. It has a sun and a hill of one
# colour each, and moves by 4 texels a frame.

# color FILE FRAME X Y: the texel, "R G B".
color() {
    ffmpeg -nostdin -v error -i "$1" -vf "select=eq(n\,$2),format=gbrp,crop=1:1:$3:$4" -frames:v 1 \
        -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 | xargs
}

# expect_color FILE FRAME X Y R G B: to 4 codes, by which HAP Q may be off.
expect_color() {
    local is
    is=$(color "$1" "$2" "$3" "$4")
    awk -v a="$is" -v b="$5 $6 $7" 'BEGIN {
        n = split(a, x); split(b, y)
        for (i = 1; i <= 3; ++i) if (n != 3 || x[i] - y[i] > 4 || y[i] - x[i] > 4) exit 1
    }' || fail "$1, frame $2: $is at $3,$4 in place of $5 $6 $7"
}

# expect_pictures MOVIE WIDTH HEIGHT FRAMES: the sun and the near hill are where they should be in the first
# frame and in the last.
expect_pictures() {
    local frame
    expect_movie "$1" "$2" "$3" "$4"
    for frame in 0 $(($4 - 1)); do
        expect_color "$1" "$frame" $(((62 * $2 / 100 + ($2 - 4 % $2) * frame) % $2)) $(($3 / 2)) 255 240 190
        expect_color "$1" "$frame" $(($2 / 3)) $(($3 - 1)) 18 16 40
    done
}
