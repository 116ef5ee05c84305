#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_frames.sh WEIR FOLDER PRESENT NUMBERS: weir record with the layer in a program that presents: every frame is in
# the movie once, in order and in its colours, or in the list of drops.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"

# How far a codec's colours are from those of a picture that was not recorded by the layer. One code more is for the device,
# which rounds what it draws.
"$present" --frames 100000 --fps 25 --size 96x96 &
app=$!
until_true xdotool search --onlyvisible --class '.*'
until ffmpeg -nostdin -v error -y -f x11grab -draw_mouse 0 -video_size 96x96 -i "$DISPLAY+0,0" -frames:v 1 -c:v png screen.mov &&
    grep -q "^[1-9].* 0$" <<<"$("$read_numbers" screen.mov)"; do
    kill -0 $app || fail "the screen shows no frame"
done
kill $app
wait $app || true
app=
declare -A worst
for codec in hap_q hap; do
    "$weir" transcode screen.mov $codec.mov --codec $codec --effort fast --quiet
    worst[$codec]=$(($("$read_numbers" $codec.mov | cut -d ' ' -f 4) + 1))
done
worst[hap_alpha]=${worst[hap]} worst[hap_q_alpha]=${worst[hap_q]}

# recorded NAME CODEC FRAMES [RECORD OPTION...] -- [PRESENT OPTION...]: no frame is missing.
recorded() {
    local name=$1 codec=$2 frames=$3 options=()
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    record "$name" --codec "$codec" --policy wait "${options[@]}" -- --frames "$frames" --size 96x96 "${@:2}"
    expect_all "$name" "$frames" "${worst[$codec]}"
    echo "$name: all $frames frames, up to $(sort -k 4n movie.txt | tail -n 1 | cut -d ' ' -f 4) codes from their colours"
}

for codec in hap_q hap hap_alpha hap_q_alpha; do
    recorded "codec_$codec" $codec 60 --
done
for waits in 0 40; do # and 1 above; of two windows in cli_record_changes.sh
    recorded waits$waits hap_q 60 -- --waits $waits
    recorded both$waits hap_q 40 -- --waits $waits --windows 2
    read_movies both$waits-2.mov
    seq 0 39 >wanted.txt
    expect_numbers wanted.txt "${worst[hap_q]}" 160x128
done
recorded default hap_q 20 --effort default --
recorded api1.0 hap_q 20 -- --api 1.0
recorded api1.1 hap_q 20 -- --api 1.1
for switch in on off; do
    recorded features$switch hap 20 -- --api 1.2 --vulkan12-features $switch
done
recorded api1.3 hap 20 -- --api 1.3
recorded srgb hap 40 -- --format bgra8_srgb
recorded srgb_q hap_q 40 -- --format bgra8_srgb
recorded steady hap 60 --steady --
recorded steady_q hap_q 60 --steady --
recorded immediate hap 300 --slots 2 -- --immediate
record_status 0 odd --policy wait -- --frames 20 --size 101x99
grep -q "not a multiple of 4" odd.txt || fail "of a side that blocks do not divide it says $(cat odd.txt)"
expect_all odd 20 "$((worst[hap_q] + 1))" 101x99 # blocks with two patches

# One of three frames.
record every --every 3 --policy wait -- --frames 50
read_movies every.mov
seq 0 3 49 >wanted.txt
expect_numbers wanted.txt 4
[ "$(wc -l <every.log)" = 50 ] || fail "--every 3 keeps frames from the display"

# HAP R, which FFmpeg does not decode: a block in the middle of each cell is that of the black cell of frame 0, or not.
record hap_r --codec hap_r --policy wait -- --frames 12 --size 64x88
expect_closed hap_r.mov
ffprobe -v error -show_entries packet=pos,size -of csv=p=0 hap_r.mov 2>/dev/null | while IFS=, read -r size pos; do
    head -c $((pos + size)) hap_r.mov | tail -c $((size - 4)) # behind a header of four bytes
done | od -An -v -tx1 -w16 | awk '
    { at = (NR - 1) % (16 * 22); block[at] = $0; black = NR == 1 ? $0 : black }
    at == 16 * 22 - 1 {
        number = 0
        for (i = 15; i >= 0; i--) number = 2 * number + (block[int((int(i / 4) * 16.5 + 8) / 4) * 16 + i % 4 * 4 + 1] != black)
        print number
    }' >hap_r.txt
diff hap_r.txt <(seq 0 11) >numbers.diff || fail "HAP R has other frames: $(head -n 5 numbers.diff)"

# A recorder that stands still until more frames are presented than have slots: what the movie does not have is in the list of
# drops, by its number and its time.
dropping() {
    start_record "$@"
    until_true test -s "$1.001.mov"
    kill -STOP $recorder
    until_true has_lines "$1.log" $(($(wc -l <"$1.log") + 30))
    kill -CONT $recorder
    finish 0
    read_movies "$1.mov"
    read_drops "$1.mov.json" | cut -d ' ' -f 1 >missing.txt
    [ -s missing.txt ] || fail "$1: nothing was dropped, and this test is for nothing"
    diff <(sort -n <(cut -d ' ' -f 1 movie.txt) missing.txt) <(seq 0 $(($(wc -l <"$1.log") - 1))) >numbers.diff ||
        fail "$1: movie and drops are not all frames: $(head -n 5 numbers.diff)"
    sort -nc <(cut -d ' ' -f 1 movie.txt) || fail "$1: frames are not in order"
    echo "$1: $(wc -l <movie.txt) frames and $(wc -l <missing.txt) dropped"
}
dropping drop --policy drop --slots 8 --sidecar -- --frames 400 --fps 150
diff missing.txt <(dropped drop) >numbers.diff || fail "the times of dropped frames are those of other frames: $(head -n 5 numbers.diff)"
dropping fast --policy drop --slots 8 --sidecar -- --frames 1500 --immediate
echo passed
