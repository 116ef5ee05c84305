#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_changes.sh WEIR FOLDER PRESENT NUMBERS: windows that change while they are recorded, programs that fork, two at a
# time, and other layers that draw on what is recorded.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"
export VKBASALT_LOG_LEVEL=none MANGOHUD_CONFIG=position=bottom-right # not on the number

# A window of another size with each frame goes on in another movie.
seq 0 59 >wanted.txt
for old in "" --no-old-swapchain; do
    name=resized$old
    # shellcheck disable=SC2086
    record "$name" --policy wait --sync 0 -- --frames 60 --size 96x96 --resize-each 1 $old
    movies=("$name".*.mov)
    [ ${#movies[@]} = 60 ] || fail "$name: ${#movies[@]} movies"
    read_movies "${movies[@]}"
    expect_numbers wanted.txt 4
    awk '{ side = 96 + 32 * ($1 % 3); if ($3 != side "x" side) { print; exit 1 } }' movie.txt || fail "$name: a movie has another size"
    expect_closed "$name.001.mov"
    expect_closed "$name.060.mov"
done
# Or all of them in one movie.
record fit --policy wait --sync 0 --on-resize fit -- --frames 60 --size 96x96 --resize-each 1 --windows 2
expect_all fit 60 6 96x96
expect_closed fit-2.mov
read_movies fit-2.mov
seq 0 59 >wanted.txt
expect_numbers wanted.txt 255 160x128 # its shape differs, so its patches have moved
# Every 50 frames, two windows, which do not wait for the disk.
record_status 0 both --policy drop --sidecar -- --frames 150 --fps 200 --windows 2 --resize-each 50
for name in both both-2; do
    movies=("$name".0*.mov)
    [ ${#movies[@]} = 3 ] || fail "$name: ${#movies[@]} movies"
    read_movies "${movies[@]}"
    read_drops "$name.mov.json" | cut -d ' ' -f 1 >missing.txt
    diff <(sort -n <(cut -d ' ' -f 1 movie.txt) missing.txt) <(seq 0 149) >numbers.diff || fail "$name: $(head -n 5 numbers.diff)"
done

# A swapchain of the same size is in the same movie.
record recreated --policy wait -- --frames 60 --recreate-each 1
expect_all recreated 60
record formats --policy wait -- --frames 60 --format-each 7
expect_all formats 60
record recreated_anew --policy wait -- --frames 60 --recreate-each 1 --no-old-swapchain
expect_all recreated_anew 60

# A window that is hidden for a moment.
start_record hidden --policy wait -- --frames 200 --fps 100
until_true has_frames 20
window=$(xdotool search --onlyvisible --class '.*' | tail -n 1)
xdotool windowunmap "$window"
until_true has_frames 60
xdotool windowmap "$window"
finish 0
expect_all hidden 200

# Two programs at a time, with a recorder each.
start_record first --policy wait -- --frames 150 --fps 100
first=$recorder
others=("$first")
start_record second --policy wait --codec hap -- --frames 150 --fps 100 --size 96x96
finish 0
recorder=$first
finish 0
expect_all first 150
expect_all second 150 3 96x96

# Programs with children, which have the connection too.
record forked --policy wait -- --frames 90 --fork
expect_all forked 90
record forked_end --policy wait -- --frames 90 --fork --end leak
expect_all forked_end 90

# Images that share the memory of the swapchain's; another queue than that which draws.
# is_shown [PRESENT OPTION...]: the program shows something without Weir. On the software device of Mesa 25 a window stays
# black whose images share the memory of the swapchain's.
is_shown() {
    local try status=1
    "$present" --frames 100000 --fps 100 --size 96x96 "$@" >/dev/null 2>&1 &
    others=($!)
    for try in {1..20}; do
        [ "$(ffmpeg -nostdin -v error -f x11grab -draw_mouse 0 -video_size 1280x800 -i "$DISPLAY+0,0" -frames:v 1 -pix_fmt gray \
            -f rawvideo - | tr -d '\000' | wc -c)" != 0 ] && status=0 && break
        sleep 0.1
    done
    kill "${others[@]}"
    wait "${others[@]}" || true
    others=()
    return $status
}

# possible NAME [PRESENT OPTION...]: or this machine cannot do it, as is seen without Weir.
possible() {
    local name=$1 status=0
    shift
    "$present" --frames 2 "$@" >possible.txt 2>&1 || status=$?
    if [ $status = 77 ]; then
        echo "$name: $(cat possible.txt)"
        return
    fi
    if ! is_shown "$@"; then
        echo "$name: this device shows nothing of it"
        return
    fi
    record "$name" --policy wait -- --frames 60 "$@"
    expect_all "$name" 60
    echo "$name: 60 frames"
}
possible shared_images --shared-images --api 1.1
possible shared_images_again --shared-images --api 1.1 --recreate-each 10
possible second_queue --second-queue
possible second_queue_both --second-queue --windows 2 --waits 3

# What other layers draw is recorded: MangoHud's numbers in a corner, and pictures of vkBasalt's that are as sharp as before.
has_layer() {
    local folder
    for folder in /usr/share /usr/local/share /etc; do
        [ ! -e "$folder/vulkan/implicit_layer.d/$1.json" ] || return 0
    done
    return 1
}
if has_layer MangoHud; then
    MANGOHUD=1 record_status 0 hud --policy wait -- --frames 60 --size 1024x700
    expect_closed hud.mov
    read_movies hud.mov
    [ "$(cut -d ' ' -f 1 movie.txt | xargs)" = "$(seq -s ' ' 0 59)" ] || fail "with MangoHud: $(head -n 5 movie.txt)"
    [ "$(awk '$4 > 16' movie.txt | wc -l)" -ge 30 ] || fail "what MangoHud draws is not recorded"
    echo "MangoHud: 60 frames, and what it draws"
else
    echo "MangoHud: not here"
fi
if has_layer vkBasalt; then
    ENABLE_VKBASALT=1 record_status 0 basalt --policy wait -- --frames 60
    expect_all basalt 60
    ENABLE_VKBASALT=1 record_status 0 basalt_resized --policy wait -- --frames 60 --resize-each 20
    read_movies basalt_resized.0*.mov
    seq 0 59 >wanted.txt
    expect_numbers wanted.txt 4
    echo "vkBasalt: 60 frames"
else
    echo "vkBasalt: not here"
fi
echo passed
