# SPDX-License-Identifier: MIT
# sample_ssr's keys: reflections, the march and its steps, roughness and exposure in the title, a recording that is resized,
# and a window that is hidden, and closed while it is recording. bash sample_ssr_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

start_windowed "Weir reflections" --validation --size 160x92 --policy wait
until_true "the settings in the title" title_has "reflections on — by the pyramid — roughness 0.15"
# Keys that change different things go together: the title has all of them.
key s l equal equal Up
until_true "no reflections, the linear march, a rougher floor" \
    title_has "reflections off — texel by texel — roughness 0.25 — +0.25 stops"
key s h minus Down Down
until_true "reflections, steps, a smoother floor" \
    title_has "reflections on — texel by texel, steps — roughness 0.20 — -0.25 stops"
key l h
until_true "the march by the pyramid" title_has "by the pyramid — roughness 0.20"
key r
until_true "a recording" title_has "REC [1-9]"
xdotool windowsize "$window" 201 153
until_true "a second segment" test -s ssr-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
xdotool windowunmap --sync "$window"
xdotool windowmap --sync "$window"
until_true "a recording in a window that is shown again" title_has "REC [1-9]"
end_windowed
expect_movie ssr.mov 160 92 "$(field ssr.mov nb_read_frames)"
expect_movie ssr-2.mov 201 153 "$(field ssr-2.mov nb_read_frames)"
