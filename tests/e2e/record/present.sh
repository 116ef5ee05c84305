#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs of the tests of recording: what e2e_present shows is what e2e_numbers reads, by FFmpeg's own recorder of
# screens, and no option makes the validation layer speak. bash present.sh PRESENT NUMBERS FOLDER
set -euo pipefail
present=$(realpath "$1") numbers=$(realpath "$2")
rm -rf "$3"
mkdir -p "$3"
cd "$3"
fail() { echo "$*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }
for tool in Xvfb ffmpeg; do
    command -v $tool >/dev/null || skip "no $tool here"
done
unset WAYLAND_DISPLAY
# Without a client it would begin anew, and refuse the next one meanwhile.
Xvfb -noreset -displayfd 3 -screen 0 640x480x24 3>display.txt >xvfb.txt 2>&1 &
processes=$!
trap 'kill $processes 2>/dev/null || true' EXIT
until [ -s display.txt ]; do
    kill -0 "$processes" || fail "no display: $(cat xvfb.txt)"
    sleep 0.02
done
DISPLAY=:$(cat display.txt)
export DISPLAY

# run STATUS ARGUMENTS...: e2e_present ends with that status, and says nothing where it is 0.
run() {
    local want=$1 got=0
    shift
    "$present" "$@" >log.txt 2>&1 || got=$?
    [ "$got" = "$want" ] || fail "e2e_present $* ended with $got: $(cat log.txt)"
    [ "$want" != 0 ] || [ ! -s log.txt ] || fail "e2e_present $* says: $(cat log.txt)"
}

# try ARGUMENTS...: or this machine cannot do it.
try() {
    local got=0
    "$present" --validate --frames 8 "$@" >log.txt 2>&1 || got=$?
    case $got in
        0) [ ! -s log.txt ] || fail "e2e_present $* says: $(cat log.txt)"; echo "$*: done" ;;
        77) echo "$*: $(cat log.txt)" ;;
        *) fail "e2e_present $* ended with $got: $(cat log.txt)" ;;
    esac
}

"$present" --validate --frames 1 >log.txt 2>&1 || [ $? != 77 ] || skip "$(cat log.txt)"
for waits in 0 1 40; do
    for windows in 1 2; do
        run 0 --validate --frames 12 --waits $waits --windows $windows --resize-each 5
    done
done
run 0 --validate --frames 12 --no-old-swapchain --resize-each 3 --immediate
run 0 --validate --frames 12 --recreate-each 1
run 0 --validate --frames 12 --recreate-each 1 --no-old-swapchain
run 0 --validate --frames 9 --fork --api 1.1
run 0 --validate --frames 5 --end leak
run 0 --validate --frames 5 --end exec
run 0 --validate --frames 5 --api 1.2 --vulkan12-features off
run 0 --validate --frames 5 --api 1.2 --vulkan12-features on
for format in bgra8_srgb rgba8 rgba8_srgb a2b10g10r10 a2r10g10b10 rgba16f hdr10; do
    try --format $format
done
try --second-queue
try --shared-images --api 1.1
try --shared-images --api 1.1 --resize-each 3 --windows 2
try --headless
try --headless --windows 2 --resize-each 3
run 2 --size 63x88
run 2 --api 1.1 --vulkan12-features off
run 2 --shared-images

# However it ends, what it presented is in its log: numbers one by one, times that rise.
for end in exit:0 abort:134 segv:139 kill:137; do
    (ulimit -c 0; run "${end#*:}" --frames 20 --end "${end%:*}" --present-log present.log) 2>/dev/null || fail "--end $end"
    awk '$1 != NR - 1 || $2 <= last { exit 1 } { last = $2 } END { if (NR != 20) exit 1 }' present.log ||
        fail "--end $end: $(cat present.log)"
done

# record FORMAT MOVIE: what the screen shows of 40 frames, without loss.
record() {
    ffmpeg -v error -y -f x11grab -framerate 30 -video_size 320x240 -i "$DISPLAY+0,0" -c:v png "$2" </dev/null 2>grab.txt &
    local recorder=$!
    processes+=" $recorder"
    run 0 --frames 40 --fps 25 --size 320x240 --format "$1"
    kill -INT "$recorder"
    wait "$recorder" || true
    [ -s "$2" ] || fail "ffmpeg recorded nothing: $(cat grab.txt)"
}

# expect MOVIE MOST: of the pictures whose colours differ by no more, several have other numbers, which rise.
expect() {
    "$numbers" "$1" >"$1.txt" || fail "e2e_numbers $1 failed"
    awk -v most="$2" '$4 > most { next } $1 == "?" || $3 != "320x240" || $1 < last || $1 > 39 { print; exit 1 }
        $1 > last { last = $1; num++ } END { if (num < 3) exit 1 }' "$1.txt" || fail "$1: $(cat "$1.txt")"
}

record bgra8 screen.mov
expect screen.mov 0
record bgra8_srgb srgb.mov
expect srgb.mov 1
ffmpeg -v error -y -i screen.mov -c:v hap -format hap_q hap.mov </dev/null
expect hap.mov 8
[ "$(cut -d ' ' -f 1 screen.mov.txt)" = "$(cut -d ' ' -f 1 hap.mov.txt)" ] || fail "HAP Q has other numbers"
# Pictures that say no number.
ffmpeg -v error -y -f lavfi -i testsrc=320x240:r=10:d=0.3 -c:v png other.mov </dev/null
[ "$("$numbers" other.mov | grep -c '^? ')" = 3 ] || fail "numbers of other pictures: $("$numbers" other.mov)"
! "$numbers" present.log >none.txt 2>&1 || fail "a log is no movie: $(cat none.txt)"
echo "$(cut -d ' ' -f 1 screen.mov.txt | sort -un | wc -l) numbers were read from the screen"
