# SPDX-License-Identifier: MIT
# The minimal samples that loop, in a window: it shows what becomes the movie, at any size, until Escape.
# bash sample_minimal_window.sh MINIMAL_CAPTURE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

# shows WIDTH HEIGHT: the window, at 0,0 without a window manager, has a sun and the near hill to its lower edge.
shows() {
    ffmpeg -nostdin -v error -y -f x11grab -draw_mouse 0 -video_size "${1}x$2" -i "$DISPLAY+0,0" -frames:v 1 \
        -c:v ffv1 screen.mkv || return 1
    ffmpeg -nostdin -v error -i screen.mkv -vf "crop=$1:1:0:$(($2 / 2))" -f rawvideo -pix_fmt rgb24 - |
        od -An -v -tu1 -w3 | awk '$1 == 255 && $2 == 240 && $3 == 190 { ++num } END { exit num < 10 }' || return 1
    (expect_color screen.mkv 0 3 $(($2 - 2)) 18 16 40 && expect_color screen.mkv 0 $(($1 - 4)) $(($2 - 2)) 18 16 40)
}

# end_loop MOVIE WIDTH HEIGHT: Escape ends it, and all of its frames are in the movie.
end_loop() {
    close_windowed
    expect_pictures "$1" "$2" "$3" "$(sed -n "s/^$1: \([0-9]*\) frames.*/\1/p" log.txt)"
}

sample=$program
start_windowed film.mov film.mov --validation --size 320x180
until_true shows 320 180
xdotool windowsize "$window" 203 117
until_true shows 203 117
xdotool windowunmap --sync "$window" windowmap --sync "$window" windowsize "$window" 640 400
until_true shows 640 400
end_loop film.mov 320 180

sample=$(dirname "$program")/minimal_audio
start_windowed tone.mov tone.mov --validation --size 203x117
until_true shows 203 117
end_loop tone.mov 203 117

# It ends by itself too.
"$program" short.mov --validation --size 1x1 --frames 3 >log.txt 2>&1 || fail "$(cat log.txt)"
! grep -qi validation log.txt || fail "$(cat log.txt)"
expect_movie short.mov 1 1 3
