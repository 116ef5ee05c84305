# SPDX-License-Identifier: MIT
# sample_bloom's exposure follows the light. Where the light changes by three stops, the picture gets to what it is
# where the light was so from the start: never back, never beyond, and sooner to more light than to less.
# bash bloom_adapt.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_bloom ffmpeg ffprobe
sample=$held/sample_bloom
width=127 height=71 frames=24 # at three a second; the light changes in frame 6, counted from 0

# means NAME ARGUMENTS...: NAME.means, the brightness of each frame, a line a frame.
means() {
    local name=$1
    shift
    run_sample "$name.txt" --headless --size ${width}x$height --fps 3 --no-bloom --no-dof \
        --policy wait --frames $frames --capture "$name.mov" "$@" >/dev/null
    ffmpeg -nostdin -v error -i "$name.mov" -vsync passthrough -vf format=gray -f rawvideo - |
        od -An -v -t u1 -w$((width * height)) |
        awk '{ sum = 0; for (i = 1; i <= NF; ++i) sum += $i; print sum / NF }' >"$name.means"
    [ "$(wc -l <"$name.means")" = $frames ] || fail "$name.mov has another number of frames"
}

# brightness ARGUMENTS...: of a picture of the first frame.
brightness() {
    render first --size ${width}x$height --fps 5 --no-bloom --no-dof "$@"
    ffmpeg -nostdin -v error -i first.png -vf format=gray -f rawvideo - | od -An -v -t u1 -w1 |
        awk '{ sum += $1 } END { print sum / NR }'
}

# holds WHAT CONDITION: a condition of awk.
holds() {
    awk "BEGIN { exit !($2) }" || fail "$1: not $2"
    printf '%s: %s\n' "$1" "$2"
}

means darker --light -3 --light-from 2 --validation
means dark --light -3
means brighter --light 3 --light-from 2
means bright --light 3

# The scene moves, so the measure is the ratio to the same frame of a picture that is used to its light.
paste darker.means dark.means brighter.means bright.means |
    awk 'NR > 6 { print $1 / $2, $3 / $4 }' >ratios.txt
awk 'NR > 1 && ($1 < less - 0.002 || $2 > more + 0.002) { exit 1 } { less = $1; more = $2 }' ratios.txt ||
    fail "the exposure goes back: $(cat ratios.txt)"
awk '$1 > 1.002 || $2 < 0.998 { exit 1 }' ratios.txt || fail "the exposure goes too far: $(cat ratios.txt)"
set -- $(awk 'NR == 1 || NR == 7 || NR == 18' ratios.txt)
holds "the picture of the change to less light" "$1 < 0.4"
holds "the picture of the change to more light" "$2 > 1.8"
holds "two seconds later, after less and after more light" "1 - $3 > 3 * ($4 - 1)"
# The reference lags behind the moving scene itself, by as much as a slow adaptation does.
holds "two seconds after more light" "$4 < 1.10"
holds "six seconds after less light" "$5 > 0.98"
holds "six seconds after more light" "$6 < 1.005"

# The first frame is used to its light, unless nothing adapts; stops of the user are beside that.
used=$(head -n 1 darker.means) # where the light is as it is
holds "the first frame of the scene, and in more light" "$(head -n 1 bright.means) < 1.02 * $used"
holds "the first frame of the scene, and in less light" "$(head -n 1 dark.means) > 0.97 * $used"
holds "one stop of exposure" "$(brightness --exposure 1) > 1.3 * $used"
fixed=$(brightness --no-adapt)
holds "less light without adaptation" "$(brightness --no-adapt --light -3) < 0.5 * $fixed"
