# SPDX-License-Identifier: MIT
# The keys of a sample that shows an effect: what the title says after each, a recording that is resized, and a window that is
# hidden, and closed while it is recorded. bash effect_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display
name=${sample##*/sample_}

# press KEYS TITLE: a key after the other. Those that change different things go together: the title has all of them.
press() {
    # shellcheck disable=SC2086
    [ "$1" = - ] || key $1
    until_true title_has "$2"
}

# resized WIDTH HEIGHT: the recording goes on in a second movie.
resized() {
    xdotool windowsize "$window" "$1" "$2"
    until_true test -s "$name-2.mov"
    second="$1 $2"
}

hidden() { xdotool windowunmap --sync "$window" windowmap --sync "$window"; }

start() { start_windowed "$1" --validation --size 160x92 --policy wait "${@:2}"; }

case $name in
bloom)
    # Where a driver has compiled nothing the first frame takes long: by the fewest passes, as the others do the same.
    MESA_SHADER_CACHE_DIR=$PWD/cache start_windowed "Weir bloom" --size 160x92 --no-bloom --no-dof --no-adapt
    press - "first frame.* of 2"
    close_windowed
    start "Weir bloom"
    press - "bloom on 1.5 by 13 taps.*depth of field on 8.2.*stops, adapts"
    press "b minus f Up" "bloom off 1.4 by 13 taps — depth of field on 7.8 — +0.25 stops"
    press "b t d equal equal Right g Down Down" "bloom on 1.6 by 4 taps — depth of field off 8.6 — -0.25 stops"
    press "t d a l" "bloom on 1.6 by 13 taps — depth of field on.* stops — "
    press "a l" "stops, adapts"
    press r "REC [1-9]"
    resized 200 152
    press - "REC [1-9]"
    hidden
    press r "R records"
    ;;
ssr)
    start "Weir reflections"
    press - "reflections on — by the pyramid — roughness 0.15"
    press "s l equal equal Up" "reflections off — texel by texel — roughness 0.25 — +0.25 stops"
    press "s h minus Down Down" "reflections on — texel by texel, steps — roughness 0.20 — -0.25 stops"
    press "l h" "by the pyramid — roughness 0.20"
    press r "REC [1-9]"
    resized 201 153
    press - "REC [1-9]"
    hidden
    press - "REC [1-9]"
    ;;
hiz)
    start "Weir hiz" --boxes 5000
    press - "culling on .* boxes drawn, [0-9]* culled"
    press w "culling compared"
    press "w c" "culling off .* 5000 boxes drawn, 0 culled"
    press "c f" "culling on, frozen"
    press "f r" "culling on .*REC [1-9]\|REC [1-9].*culling on "
    resized 201 153
    press - "REC [1-9]"
    hidden
    press - "REC [1-9]"
    ;;
mips)
    start "Weir mips"
    press - "1 dispatch — flat, level 2, 40x23 — single, mean of light"
    press "Up s" "split, level 3, 20x11 — single | blit, mean of light"
    press "Down Down Down Down d m c" "difference, level 0, 160x92 — hybrid, mean of codes"
    press "t f n r" "REC [1-9].*plane.*alpha_mean"
    resized 201 151
    hidden
    press m "REC.*general"
    # A method that a size allows, and the next size does not.
    xdotool windowsize "$window" 128 128
    press - "REC.*level 0, 128x128"
    press m "REC.*subgroup"
    xdotool windowsize "$window" 131 77
    press - "REC.*131x77.*single"
    ;;
palette)
    start "Weir palette"
    press - "16 colours.*k-means, blue noise.*of each frame"
    press "minus d k" "12 colours.*k-means, no dither.*kept"
    press "equal s" "15 colours.*k-means, no dither.*kept"
    press r "REC [1-9]"
    resized 200 152
    press m "REC.*mean shift, radius 0.06.*of each frame" # whose frames take longest
    key m d
    hidden
    press - "REC.*15 colours.*k-means, ordered.*kept"
    ;;
*) fail "no keys of $name here" ;;
esac
end_windowed
expect_movie "$name.mov" 160 92 "$(field "$name.mov" nb_read_frames)"
# shellcheck disable=SC2086
expect_movie "$name-2.mov" $second "$(field "$name-2.mov" nb_read_frames)"
