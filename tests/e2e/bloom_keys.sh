# SPDX-License-Identifier: MIT
# sample_bloom's keys: each effect on and off, their numbers in the title, a recording, a resize.
# bash bloom_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

# Where a driver has compiled nothing the first frame takes long: by the fewest passes, as the others do the same.
MESA_SHADER_CACHE_DIR=$PWD/cache start_windowed "Weir bloom" --size 160x92 --no-bloom --no-dof --no-adapt
until_true "the first frame's progress in the title" title_has "first frame.* of 2"
close_windowed
start_windowed "Weir bloom" --validation --size 160x92 --policy wait
until_true "all effects in the title" title_has "bloom on 1.5 by 13 taps.*depth of field on 8.2.*stops, adapts"
# Keys that change different things go together: the title has all of them.
key b minus f Up
until_true "bloom off and less of it, a nearer focus, more exposure" \
    title_has "bloom off 1.4 by 13 taps — depth of field on 7.8 — +0.25 stops"
key b t d equal equal Right g Down Down
until_true "bloom on, more of it and by other taps, depth of field off, a further focus, less exposure" \
    title_has "bloom on 1.6 by 4 taps — depth of field off 8.6 — -0.25 stops"
key t d a l
until_true "both on again, the first taps, and no adaptation" \
    title_has "bloom on 1.6 by 13 taps — depth of field on.* stops — "
key a l
until_true "adaptation again" title_has "stops, adapts"
key r
until_true "a recording" title_has "REC [1-9]"
xdotool windowsize "$window" 200 152
until_true "a second segment" test -s bloom-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
key r
until_true "a stopped recording" title_has "R records"
end_windowed
expect_movie bloom.mov 160 92 "$(field bloom.mov nb_read_frames)"
expect_movie bloom-2.mov 200 152 "$(field bloom-2.mov nb_read_frames)"
