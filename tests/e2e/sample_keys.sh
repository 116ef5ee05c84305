# SPDX-License-Identifier: MIT
# sample_capture's keys and a window that changes its size while it is recorded: a segment for each size.
# bash sample_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display
"$sample" --validation --size 480x270 --policy wait --replay 5 >log.txt 2>&1 &
app=$!
until_true "a window" xdotool search --name "Weir capture"
window=$(xdotool search --name "Weir capture" | head -n 1)
until_true "a title that offers R" title_has "R records"
key r
until_true "a recording in the title" title_has "REC [1-9]"
key F9
until_true "a replay" test -s capture-replay-1.mov
xdotool windowsize "$window" 400 300
until_true "a second segment" test -s capture-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
key r
until_true "a stopped recording" title_has "R records"
key r
until_true "a third segment" test -s capture-3.mov
key Escape
status=0
wait $app || status=$?
app=
cat log.txt
[ $status = 0 ] || fail "the sample ended with $status"
! grep -qi validation log.txt || fail "the validation layer has spoken"
expect_counts log.txt

expect_rising capture-replay-1.mov 480 270
# All segments together carry every number once.
total=0
for segment in "capture.mov 480 270" "capture-2.mov 400 300" "capture-3.mov 400 300"; do
    set -- $segment
    frames=$(field "$1" nb_read_frames)
    expect_movie "$1" "$2" "$3" "$frames"
    expect_numbers "$1" "$2" "$3" $total $((total + frames - 1))
    total=$((total + frames))
done
[ $total = "$(count log.txt written)" ] || fail "$total frames are there, and not those written"

# P pauses a recording: frames are skipped until P is pressed again, and the movie has no gap.
"$sample" --size 320x180 --policy wait --fps 60 --output paused.mov >log.txt 2>&1 &
app=$!
until_true "a second window" xdotool search --name "Weir capture"
window=$(xdotool search --name "Weir capture" | head -n 1)
until_true "a recording from the start" title_has "REC [1-9].*P pauses"
key p
until_true "a pause in the title" title_has "PAUSED.*P resumes"
key p
until_true "a recording after the pause" title_has "REC [1-9]"
key Escape
status=0
wait $app || status=$?
app=
[ $status = 0 ] || fail "the sample ended with $status: $(cat log.txt)"
expect_counts log.txt
[ "$(count log.txt skipped)" -gt 0 ] || fail "no frame was skipped in the pause"
ffprobe -v error -show_entries packet=pts -of csv=p=0 paused.mov | awk '$1 != 1500 * (NR - 1) { exit 1 }' ||
    fail "the movie has a gap where it was paused"
