#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir record where there is no display: e2e_present presents to the stand-in, which is below the layer that records, and the
# layer that validates is between the two. All frames are in the movie, or are said to be lost.
# bash headless.sh WEIR FOLDER PRESENT NUMBERS BUILD
source "$(dirname "$0")/headless_common.sh"
validated=(env "${layers[@]}" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_KHRONOS_validation:VK_LAYER_WEIR_stand_in "$present" --headless --validate)

# recorded MOVIE FRAMES SIZE ARGUMENTS...: the program, all of whose frames must be there. With a slot for each: a kernel may be
# compiled for longer than the second for which the layer waits.
recorded() {
    local movie=$1 frames=$2 size=$3
    shift 3
    "$program" record --quiet --policy wait --slots 60 --codec hap --output "$movie" -- \
        "${validated[@]}" --frames "$frames" "$@" >"$movie.log" 2>&1 ||
        fail "$*: status $?: $(cat "$movie.log")"
    [ ! -s "$movie.log" ] || fail "$*: $(cat "$movie.log")"
    "$numbers" "$movie" >"$movie.txt" || fail "$*: no movie"
    awk -v frames="$frames" -v size="$size" '$1 != NR - 1 || $3 != size { print; exit 1 } END { exit NR != frames }' \
        "$movie.txt" || fail "$*: the movie has $(cat "$movie.txt")"
    echo "$movie: $frames frames"
}

"$program" record --quiet --output none.mov -- "${validated[@]}" --frames 1 >log.txt 2>&1 ||
    [ $? != 77 ] || skip "$(cat log.txt)"
recorded plain.mov 40 320x240
recorded rgba8.mov 12 324x244 --format rgba8_srgb --size 324x244
recorded several.mov 12 320x240 --waits 40
recorded none_to_wait_for.mov 12 320x240 --waits 0 --api 1.3
# Two windows of other sizes again and again, which the recorder would write to a movie each.
"${validated[@]}" --frames 12 --windows 2 --resize-each 5 --immediate >log.txt 2>&1 &&
    [ ! -s log.txt ] || fail "two windows: $(cat log.txt)"
# resized MODE MOVIES SIZES: a window of three sizes, each of two frames; so many movies, all of whose frames have these sizes.
resized() {
    local mode=$1 movies
    "$program" record --quiet --policy wait --slots 60 --codec hap --on-resize "$mode" --output "$mode.mov" -- \
        "${validated[@]}" --frames 12 --size 96x96 --resize-each 2 >"$mode.log" 2>&1 || fail "$mode: status $?: $(cat "$mode.log")"
    [ ! -s "$mode.log" ] || fail "$mode: $(cat "$mode.log")"
    movies=("$mode"*.mov)
    "$numbers" "${movies[@]}" >"$mode.txt" || fail "$mode: no movie"
    [ ${#movies[@]} = "$2" ] && [ "$(wc -l <"$mode.txt")" = 12 ] && [ "$(cut -d ' ' -f 3 "$mode.txt" | sort -u | xargs)" = "$3" ] ||
        fail "$mode: ${#movies[@]} movies: $(cat "$mode.txt")"
    [ "$mode" = pad ] || awk '$1 != NR - 1 || $4 > 6 { print; exit 1 }' "$mode.txt" || fail "$mode: another picture: $(cat "$mode.txt")"
    echo "$mode: $2 movies"
}
resized new 6 "128x128 160x160 96x96"
resized fit 1 96x96
resized pad 1 96x96
for mode in fit pad; do
    rm "$mode.mov"
    said=$("$program" record --quiet --policy wait --slots 60 --codec hap --on-resize $mode --output $mode.mov -- \
        "${validated[@]}" --frames 14 --size 96x96 --resize-each 2 --seven-sizes 2>&1) || fail "$mode, seven sizes: $said"
    movies=("$mode"*.mov)
    sizes=$("$numbers" $mode.mov | cut -d ' ' -f 3 | uniq -c | xargs)
    [ ${#movies[@]}:"$said:$sizes" = "1::14 96x96" ] || fail "$mode, seven sizes: ${#movies[@]} movies, $sizes: $said"
done
! "$program" record --on-resize fit --size 1/2 -- true >log.txt 2>&1 && grep -q "do not go with --size" log.txt || fail "with --size: $(cat log.txt)"
WEIR_STAND_IN_HZ=60 recorded paced.mov 20 320x240
awk '{ last = $2 } END { exit last < 17 / 60 * 1e9 }' paced.mov.txt || fail "too soon: $(cat paced.mov.txt)"
