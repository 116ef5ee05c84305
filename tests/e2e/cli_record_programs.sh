#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir record of programs that are not ours, in windows: of Vulkan (vkcube, mpv, vkd3d's gears), of GLFW (our own samples), and
# of OpenGL through zink. Every movie decodes, and its last frame is what the window shows. WEIR_RECORD_FRAMES=120 records
# so many frames of each, or more; 20 by default.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/sample_common.sh"
sample=$3
num_frames=${WEIR_RECORD_FRAMES:-20}
hold weir ffmpeg ffprobe
start_display
export XDG_RUNTIME_DIR=$PWD
export LIBGL_ALWAYS_SOFTWARE=1 # for zink, which takes software devices only then

# shot OUTPUT: what the only window shows.
shot() {
    local WINDOW X Y WIDTH HEIGHT SCREEN
    eval "$(xdotool getwindowgeometry --shell "$(xdotool search --onlyvisible --class '.*' | tail -n 1)")"
    ffmpeg -nostdin -v error -y -f x11grab -draw_mouse 0 -video_size "${WIDTH}x$HEIGHT" -i "$DISPLAY+$X,$Y" -frames:v 1 "$1" ||
        fail "no picture of the window"
}

# closeness MOVIE FRAME PICTURE: PSNR [dB], and the mean difference of a channel [codes]. The picture may be larger.
closeness() {
    local size
    ffmpeg -nostdin -v error -y -i "$1" -vf "select=eq(n\,$2)" -frames:v 1 -pix_fmt rgb24 frame.png
    size=$(ffprobe -v error -show_entries stream=width,height -of csv=p=0:s=x frame.png)
    ffmpeg -nostdin -v error -y -i "$3" -vf "scale=${size/x/:}:flags=area" -pix_fmt rgb24 "scaled.png"
    set -- "$1" "$2" scaled.png
    ffmpeg -nostdin -hide_banner -i frame.png -i "$3" -lavfi "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr" -f null - 2>&1 |
        sed -n 's/.*average:\([0-9.inf]*\).*/\1/p'
    ffmpeg -nostdin -v error -i frame.png -i "$3" -lavfi \
        "[0]format=gbrp[a];[1]format=gbrp[b];[a]scale=1:1:flags=area[c];[b]scale=1:1:flags=area[d];[c][d]blend=all_mode=difference" \
        -frames:v 1 -f rawvideo -pix_fmt rgb24 - | od -An -tu1 | awk '{print ($1 + $2 + $3) / 3}'
}

# recorded NAME DECIBELS [RECORD OPTIONS...] -- PROGRAM...: the program is stopped in the middle of its run, when enough
# frames are there; then the window shows one of the last two frames. It is killed, and the movie is whole.
recorded() {
    local name=$1 least=$2 frames closest=
    shift 2
    if ! command -v "$(sed 's/.* -- //; s/ .*//' <<<"$*")" >/dev/null; then
        echo "$name: not here"
        return
    fi
    "$program" record --quiet --policy wait --output "$name.mov" "$@" >"$name.txt" 2>&1 &
    app=$!
    until_true has_frames $num_frames
    program_id=$(pgrep -P $app | head -n 1)
    kill -STOP "$program_id"
    sleep 0.3 # what it gave to the server is on the screen
    shot "$name.png"
    kill -KILL "$program_id"
    wait $app || true
    app=
    frames=$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$name.mov")
    expect_decodes "$name.mov"
    for last in 1 2; do
        read -r -d '' decibels mean < <(closeness "$name.mov" $((frames - last)) "$name.png") || true
        echo "$name: $frames frames; frame $((frames - last)): $decibels dB, $mean codes apart in the mean"
        awk -v d="$decibels" -v m="$mean" -v least="$least" 'BEGIN { exit !((d == "inf" || d >= least) && m <= 1) }' && closest=yes
    done
    [ -n "$closest" ] || fail "$name: no frame is what the window shows"
}
has_frames() { [ "$("$weir" record --ctl status --json --ctl-pid $app | sed -n 's/.*"frames": *\([0-9]*\).*/\1/p' | head -n 1)" -ge "$1" ]; }

ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=640x360:r=60:d=1 -c:v mjpeg -q:v 3 clip.mkv
device=$(vulkaninfo --summary 2>/dev/null | sed -n 's/^[[:space:]]*deviceName[[:space:]]*= //p' | head -n 1)
recorded vkcube 38 -- vkcube
recorded half 36 --size 1/2 -- vkcube
recorded gears 38 -- vkd3d-gears
recorded mpv 34 -- mpv --no-config --loop-file=inf --vulkan-device="$device" --ao=null --vo=gpu --gpu-api=vulkan --gpu-context=x11vk --title=mpv clip.mkv
recorded glfw 34 -- "$sample" --size 480x270
recorded opengl 38 --gl -- glxgears
echo passed
