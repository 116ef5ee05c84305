#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs of the tests of recording: e2e_present ends as it is told to, with a line in its log for each present, and no
# format makes the validation layer speak (cli_record_validate.sh has the other options, and cli_record_frames.sh compares what
# e2e_numbers reads with what the screen shows). bash present.sh PRESENT FOLDER NUMBERS
. "$(dirname "${BASH_SOURCE[0]}")/../sample_common.sh"
numbers=$3
start_display
"$program" --validate --frames 1 >log.txt 2>&1 || [ $? != 77 ] || skip "$(cat log.txt)"

# try ARGUMENTS...: without a word, or this machine cannot do it.
try() {
    local status=0
    "$program" --validate --frames 8 "$@" >log.txt 2>&1 || status=$?
    [ $status = 77 ] || [ "$status$(cat log.txt)" = 0 ] || fail "e2e_present $* ended with $status: $(cat log.txt)"
    printf '%s: %s\n' "$*" "$(cat log.txt)"
}
for format in bgra8_srgb rgba8 rgba8_srgb a2b10g10r10 a2r10g10b10 rgba16f hdr10; do
    try --format $format
done
try --second-queue
try --shared-images --api 1.1 --resize-each 3 --windows 2
try --headless --windows 2 --resize-each 3
try --recreate-each 1 --no-old-swapchain
for wrong in "--size 63x88" "--api 1.1 --vulkan12-features off" "--shared-images" "--end well" "--frames -1" "--nothing"; do
    # shellcheck disable=SC2086
    expect_status 2 "e2e_present: --" "$program" $wrong
done

# However it ends, what it presented is in its log: numbers one by one, times that rise.
for end in exit:0 abort:134 segv:139 kill:137 exec:0; do
    status=0
    (ulimit -c 0; "$program" --frames 20 --end "${end%:*}" --present-log present.log) >log.txt 2>&1 || status=$?
    [ $status = "${end#*:}" ] || fail "--end $end: $status: $(cat log.txt)"
    awk '$1 != NR - 1 || $2 <= last { exit 1 } { last = $2 } END { if (NR != 20) exit 1 }' present.log ||
        fail "--end $end: $(cat present.log)"
done

# Pictures that say no number, and what is no movie.
make other.mov testsrc=320x240:r=10:d=0.3 -c:v png
[ "$("$numbers" other.mov | grep -c '^? ')" = 3 ] || fail "numbers of other pictures: $("$numbers" other.mov)"
expect_status 1 "is no movie" "$numbers" present.log
