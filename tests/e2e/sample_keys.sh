# SPDX-License-Identifier: MIT
# sample_capture's keys and a window that changes its size while it is recorded: a segment for each size.
# bash sample_keys.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
for tool in xdotool Xvfb; do
    command -v $tool >/dev/null || skip "no $tool here"
done
unset WAYLAND_DISPLAY

Xvfb -displayfd 3 -screen 0 1280x800x24 3>display.txt >xvfb.txt 2>&1 &
xvfb=$!
app=
trap 'kill $app $xvfb 2>/dev/null || true' EXIT

# until_true WHAT COMMAND...: tries until it is true; the test's own limit ends a wait in vain.
until_true() {
    local what=$1
    shift
    until "$@" >/dev/null 2>&1; do
        [ -z "$app" ] || kill -0 "$app" 2>/dev/null || fail "the sample ended before $what: $(cat log.txt)"
        sleep 0.1
    done
    printf '%s\n' "$what"
}
title_has() { xdotool getwindowname "$window" | grep -q "$1"; }
key() { xdotool windowfocus --sync "$window" key "$1"; }

until_true "a display" test -s display.txt
DISPLAY=:$(cat display.txt)
export DISPLAY
"$sample" --validation --size 480x270 --policy wait >log.txt 2>&1 &
app=$!
until_true "a window" xdotool search --name "Weir capture"
window=$(xdotool search --name "Weir capture" | head -n 1)
until_true "a title that offers R" title_has "R records"
key r
until_true "a recording in the title" title_has "REC [1-9]"
xdotool windowsize "$window" 400 300
until_true "a second segment" test -s capture-2.mov
until_true "a recording after the resize" title_has "REC [1-9]"
key r
until_true "a stopped recording" title_has "R records"
key r
until_true "a third segment" test -s capture-3.mov
key Escape
status=0
wait $app || status=$?
app=
cat log.txt
[ $status = 0 ] || fail "the sample ended with $status"
! grep -qi validation log.txt || fail "the validation layer has spoken"
expect_counts log.txt

# All segments together carry every number once.
total=0
for segment in "capture.mov 480 270" "capture-2.mov 400 300" "capture-3.mov 400 300"; do
    set -- $segment
    frames=$(field "$1" nb_read_frames)
    expect_movie "$1" "$2" "$3" "$frames"
    expect_numbers "$1" "$2" "$3" $total $((total + frames - 1))
    total=$((total + frames))
done
[ $total = "$(count log.txt written)" ] || fail "$total frames are there, and not those written"
