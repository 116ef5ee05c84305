# SPDX-License-Identifier: MIT
# sample_bloom's keys: each effect on and off, the sliders in the title, a recording, a resize.
# bash bloom_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

MESA_SHADER_CACHE_DIR=$PWD/cache start_windowed "Weir bloom" --validation --size 320x180 --policy wait
until_true "the first frame's progress in the title" title_has "first frame.* of 9"
until_true "a frame time in the title" title_has "CPU [0-9.]* ms"
until_true "both effects in the title" title_has "bloom on.*depth of field on"
key b
until_true "bloom off" title_has "bloom off"
key d
until_true "depth of field off" title_has "depth of field off"
key b
key d
until_true "both on again" title_has "bloom on.*depth of field on"
key minus
until_true "less bloom" title_has " 1.4 —"
key equal equal
until_true "more bloom" title_has " 1.6 —"
key f
until_true "a nearer focus" title_has " 7.8 —"
key Right g
until_true "a further focus" title_has " 8.6 —"
key Up
until_true "more exposure" title_has "+0.25 stops"
key Down Down
until_true "less exposure" title_has "-0.25 stops"
key r
until_true "a recording" title_has "REC [1-9]"
xdotool windowsize "$window" 400 300
until_true "a second segment" test -s bloom-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
key r
until_true "a stopped recording" title_has "R records"
end_windowed
expect_movie bloom.mov 320 180 "$(field bloom.mov nb_read_frames)"
expect_movie bloom-2.mov 400 300 "$(field bloom-2.mov nb_read_frames)"
