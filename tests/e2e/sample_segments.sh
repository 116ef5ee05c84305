# SPDX-License-Identifier: MIT
# sample_capture --segment: segments by length and by size, and weir join puts them together; sample_window.sh has those of a
# window that changes its size. bash sample_segments.sh SAMPLE FOLDER WEIR
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_capture ffmpeg ffprobe
sample=$held/sample_capture
program=$3

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
expect_packets time.mov whole.mov "the segments are joined"

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
