# SPDX-License-Identifier: MIT
# sample_capture --segment: segments by length and by size, and a window that changes its size while the
# recording goes on; and weir join puts them together. bash sample_segments.sh SAMPLE FOLDER WEIR
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_capture ffmpeg ffprobe
sample=$held/sample_capture
program=$3

# packets MOVIE: time, length, size and hash of each.
packets() { ffmpeg -nostdin -v error -i "$1" -c copy -f framehash - | grep -v '^#'; }

run_sample time.txt --headless --validation --size 192x36 --frames 50 --fps 10 --output time.mov --segment 2
expect_counts time.txt
expect_movie time.001.mov 192 36 20
expect_movie time.002.mov 192 36 20
expect_movie time.003.mov 192 36 10
expect_numbers time.001.mov 192 36 0 19
expect_numbers time.002.mov 192 36 20 39
expect_numbers time.003.mov 192 36 40 49
[ ! -e time.mov ] && [ ! -e time.004.mov ] || fail "there are other files: $(ls)"
grep -q "in 3 segments" time.txt || fail "the sample does not say 3 segments"
"$program" join time.003.mov time.001.mov time.002.mov time.mov >join.txt
run_sample whole.txt --headless --size 192x36 --frames 50 --fps 10 --output whole.mov
cmp <(packets time.mov) <(packets whole.mov) || fail "joined, the segments are not what is recorded without segments"

run_sample size.txt --headless --size 192x36 --frames 40 --output size.mov --segment 0.1M
total=0
for movie in size.*.mov; do
    [ "$(stat -c %s "$movie")" -le 104857 ] || fail "$movie has $(stat -c %s "$movie") bytes"
    frames=$(field "$movie" nb_read_frames)
    expect_numbers "$movie" 192 36 $total $((total + frames - 1))
    total=$((total + frames))
done
[ $total = 40 ] || fail "$total frames of 40"
"$program" join size.*.mov joined.mov >join.txt
expect_numbers joined.mov 192 36 0 39

for bad in 0 -1 1K 5x nan 1e9 ""; do
    ! "$sample" --headless --output bad.mov --segment "$bad" >bad.txt 2>&1 || fail "--segment '$bad' is taken"
    grep -q -- --segment bad.txt || fail "--segment '$bad': $(cat bad.txt)"
done
! "$sample" --headless --frames 2 --sink null --segment 1 >bad.txt 2>&1 || fail "the null sink takes --segment"
grep -q segments.length_ms bad.txt || fail "the null sink says: $(cat bad.txt)"

sample=$1 # not held: GLFW 3.4 finds no window system in such a process
start_display
start_windowed "Weir capture" --validation --size 240x136 --policy wait --output window.mov --segment 3600
until_true "a recording in the title" title_has "REC [1-9]"
xdotool windowsize "$window" 200 152
until_true "a second segment" test -s window.002.mov
xdotool windowsize "$window" 192 100
until_true "a third segment" test -s window.003.mov
end_windowed
expect_in_order window.001.mov 240 136 window.002.mov 200 152 window.003.mov 192 100
