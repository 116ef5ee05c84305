# SPDX-License-Identifier: MIT
# sample_capture's keys and a window that changes its size while it is recorded: a segment for each size.
# bash sample_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display
start_windowed "Weir capture" --validation --size 240x136 --policy wait --replay 5
until_true "a title that offers R" title_has "R records"
key r
until_true "a recording in the title" title_has "REC [1-9]"
key F9
until_true "a replay" test -s capture-replay-1.mov
xdotool windowsize "$window" 200 152
until_true "a second segment" test -s capture-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
key r
until_true "a stopped recording" title_has "R records"
key r
until_true "a third segment" test -s capture-3.mov
end_windowed

expect_rising capture-replay-1.mov 240 136
expect_in_order capture.mov 240 136 capture-2.mov 200 152 capture-3.mov 200 152

# P pauses a recording: frames are skipped until P is pressed again, and the movie has no gap.
start_windowed "Weir capture" --size 320x180 --policy wait --fps 60 --output paused.mov
until_true "a recording from the start" title_has "REC [1-9].*P pauses"
key p
until_true "a pause in the title" title_has "PAUSED.*P resumes"
key p
until_true "a recording after the pause" title_has "REC [1-9]"
end_windowed
[ "$(count log.txt skipped)" -gt 0 ] || fail "no frame was skipped in the pause"
ffprobe -v error -show_entries packet=pts -of csv=p=0 paused.mov | awk '$1 != 1500 * (NR - 1) { exit 1 }' ||
    fail "the movie has a gap where it was paused"
