# SPDX-License-Identifier: MIT
# docs/hap-for-vjs.md: its commands do what it says of them, and its table of disks is what the sizes give.
# bash hap_for_vjs.sh WEIR FOLDER
page=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../docs/hap-for-vjs.md
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.sh"
PATH=$(dirname "$(realpath "$program")"):$PATH

make clip.mp4 "testsrc2=size=642x358:rate=30:duration=0.4" -c:v mpeg4 -q:v 2
make logo_%03d.png "testsrc2=size=64x36:rate=25:duration=0.2,format=rgba,colorchannelmixer=aa=0.5"

# run NUMBER: that block of shell of the page; what it prints is in NUMBER.txt, and what it warns of in NUMBER.err.
run() {
    awk -v number="$1" '/^```sh$/ { on = ++num == number; next } /^```$/ { on = 0 } on' "$page" >"$1.sh"
    [ -s "$1.sh" ] || fail "the page has no block $1"
    bash -e "$1.sh" >"$1.txt" 2>"$1.err" || fail "block $1 of the page: $(cat "$1.sh" "$1.txt" "$1.err")"
}
[ "$(grep -c '^```sh$' "$page")" = 7 ] || fail "the page has another number of blocks than this test"

run 1 # a clip, whose size is no multiple of 4
expect_movie clip.mov 642 358 12
grep -q "642x358 is not a multiple of 4" 1.err || fail "no warning of the size: $(cat 1.err)"
run 2
expect_movie fits.mov 640 360 12
! grep -q warning 2.err || fail "a warning: $(cat 2.err)"
(run 3) || grep -q "Invalid argument" 3.err # on a file system without direct reads
grep -qE "copied|Invalid argument" 3.err || fail "dd has not told the rate: $(cat 3.err)"
run 4
expect_movie small.mov 642 358 12
[ "$(stat -c %s small.mov)" -lt "$(stat -c %s clip.mov)" ] || fail "Snappy has not made the clip smaller"
run 5
[ "$(cat 5.txt)" = Hap5,64,36 ] || fail "the clip with alpha is $(cat 5.txt)"
run 6
[ "$(sort 6.txt | tr '\n' ' ')" = \
    "avg_frame_rate=30/1 codec_tag_string=HapY height=358 nb_read_frames=12 width=642 " ] || fail "$(cat 6.txt)"
run 7 # the bytes of the page, and a header of four
[ "$(cat 7.txt)" = $(((642 + 3) / 4 * ((358 + 3) / 4) * 16 + 4)) ] || fail "a frame has $(cat 7.txt) bytes"

# The table of disks: bytes a frame and MB/s at 25, 30, 50 and 60 frames a second.
sed -n 's/^| \([0-9]*\)x\([0-9]*\) | /\1 \2 /p' "$page" | tr -d ',|' | awk '
    {
        bytes = $1 * $2
        right = bytes == $3
        split("25 30 50 60", rates)
        for (i = 1; i <= 4; ++i) right = right && int(bytes * rates[i] / 1e6 + 0.5) == $(3 + i)
        if (!right) { print "this row is wrong: " $0; bad = 1 }
        ++rows
    }
    END { if (rows < 6) { print rows + 0 " rows"; bad = 1 } exit bad }' || fail "the table of disks"
