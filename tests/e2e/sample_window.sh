# SPDX-License-Identifier: MIT
# sample_capture in a window of its own X server: every presented frame is in the movie, in order; its keys; and a window that
# changes its size while it is recorded, with a movie or a segment for each size. bash sample_window.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

run_sample log.txt --validation --size 320x180 --frames 40 --fps 60 --policy wait --output film.mov --picture film.png
expect_counts log.txt
expect_movie film.mov 320 180 40
[ "$(field film.mov r_frame_rate)" = 60/1 ] || fail "the rate is $(field film.mov r_frame_rate)"
expect_numbers film.mov 320 180 0 39
expect_last film.mov 39 film.png 34

# By the clock, with the policy drop: time stamps rise, and all that was written is there.
run_sample clock.txt --size 320x180 --frames 20 --output clock.mov
expect_counts clock.txt
rising=$(expect_rising clock.mov 320 180)
[ "$rising" = "$(count clock.txt written)" ] || fail "$rising frames are there, and not those written"
ffprobe -v error -select_streams v:0 -show_entries packet=pts -of csv=p=0 clock.mov |
    tr -d , | awk 'NR > 1 && $1 + 0 <= last { exit 1 } { last = $1 + 0 }' || fail "time stamps do not rise"

# Keys.
start_windowed "Weir capture" --validation --size 240x136 --policy wait --replay 5
until_true title_has "R records"
key r
until_true title_has "REC [1-9]"
key F9
until_true test -s capture-replay-1.mov
xdotool windowsize "$window" 200 152
until_true test -s capture-2.mov
until_true title_has "REC [1-9]"
key r
until_true title_has "R records"
key r
until_true test -s capture-3.mov
end_windowed

expect_rising capture-replay-1.mov 240 136
expect_in_order capture.mov 240 136 capture-2.mov 200 152 capture-3.mov 200 152

# P pauses a recording: frames are skipped until P is pressed again, and the movie has no gap.
start_windowed "Weir capture" --size 320x180 --policy wait --fps 60 --output paused.mov
until_true title_has "REC [1-9].*P pauses"
key p
until_true title_has "PAUSED.*P resumes"
key p
until_true title_has "REC [1-9]"
end_windowed
[ "$(count log.txt skipped)" -gt 0 ] || fail "no frame was skipped in the pause"
ffprobe -v error -show_entries packet=pts -of csv=p=0 paused.mov | awk '$1 != 1500 * (NR - 1) { exit 1 }' ||
    fail "the movie has a gap where it was paused"

# Segments.
start_windowed "Weir capture" --validation --size 240x136 --policy wait --output window.mov --segment 3600
until_true title_has "REC [1-9]"
xdotool windowsize "$window" 200 152
until_true test -s window.002.mov
xdotool windowsize "$window" 192 100
until_true test -s window.003.mov
end_windowed
expect_in_order window.001.mov 240 136 window.002.mov 200 152 window.003.mov 192 100
