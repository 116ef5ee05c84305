# SPDX-License-Identifier: MIT
# sample_capture in a window of its own X server: every presented frame is in the movie, in order.
# bash sample_window.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
command -v xvfb-run >/dev/null && command -v Xvfb >/dev/null || skip "no xvfb-run here, and a window needs a display"
unset WAYLAND_DISPLAY

xvfb-run -a -s "-screen 0 1280x800x24" "$sample" --validation --size 320x180 --frames 40 --fps 60 \
    --policy wait --output film.mov --picture film.png >log.txt 2>&1 || fail "failed: $(cat log.txt)"
! grep -qi validation log.txt || fail "$(cat log.txt)"
cat log.txt
expect_counts log.txt
expect_movie film.mov 320 180 40
[ "$(field film.mov r_frame_rate)" = 60/1 ] || fail "the rate is $(field film.mov r_frame_rate)"
expect_numbers film.mov 320 180 0 39
expect_last film.mov 39 film.png 34

# By the clock, with the policy drop: time stamps rise, and all that was written is there.
xvfb-run -a -s "-screen 0 1280x800x24" "$sample" --size 320x180 --frames 20 --output clock.mov \
    >clock.txt 2>&1 || fail "failed: $(cat clock.txt)"
expect_counts clock.txt
rising=$(expect_rising clock.mov 320 180)
[ "$rising" = "$(count clock.txt written)" ] || fail "$rising frames are there, and not those written"
ffprobe -v error -select_streams v:0 -show_entries packet=pts -of csv=p=0 clock.mov |
    tr -d , | awk 'NR > 1 && $1 + 0 <= last { exit 1 } { last = $1 + 0 }' || fail "time stamps do not rise"
