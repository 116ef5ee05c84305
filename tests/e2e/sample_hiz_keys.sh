# SPDX-License-Identifier: MIT
# sample_hiz's keys: culling, the wrong pyramid and the frozen choice in the title, a recording, a resize, a window that is
# hidden, and one that is closed while it records. bash sample_hiz_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
start_display

start_windowed "Weir hiz" --validation --size 160x92 --policy wait --boxes 5000
until_true "numbers in the title" title_has "culling on .* boxes drawn, [0-9]* culled"
key w
until_true "a wrong pyramid" title_has "culling compared"
key w c
until_true "no culling" title_has "culling off .* 5000 boxes drawn, 0 culled"
key c f
until_true "a frozen choice" title_has "culling on, frozen"
key f r
until_true "a recording" title_has "culling on .*REC [1-9]\|REC [1-9].*culling on "
xdotool windowsize "$window" 201 153
until_true "a second segment" test -s hiz-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
xdotool windowunmap --sync "$window" windowmap --sync "$window"
until_true "a recording after the window was hidden" title_has "REC [1-9]"
end_windowed
expect_movie hiz.mov 160 92 "$(field hiz.mov nb_read_frames)"
expect_decodes hiz-2.mov
