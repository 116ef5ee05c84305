#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_hostile.sh WEIR FOLDER FAKE: a layer that does what is not allowed is told and left by weir record; the other
# connection of the same program is recorded whole.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/record_common.sh"
hold ffprobe ffmpeg

hostile() { # KIND WORDS [any]: of any status, where it depends on the system what is told
    local status=0
    "$weir" record --codec hap --effort fast --policy wait --output "$1.mov" -- "$fake" --hostile "$1" --frames 20 >stdout.txt 2>stderr.txt || status=$?
    [ "${3:-$status}" = any ] || [ $status = 0 ] || fail "$1: status $status: $(cat stderr.txt)"
    expect_said "$2"
}
movie_of() { # of the second connection, whatever became of the first
    if [ -e "$1-2.mov" ]; then echo "$1-2.mov"; else echo "$1.mov"; fi
}
hostile bad_slot "the connection of fake ([0-9]*) is closed.*: it sent a frame in a slot that is not its own"
hostile slot_twice "it sent a frame in a slot that is not its own"
hostile after_end "it sent a frame of an unknown stream"
hostile stream_twice "it began a stream again"
hostile number_twice "it sent a frame out of order"
hostile number_far "it sent a frame out of order"
hostile many_streams "is not recorded: its program shows too many windows at a time"
hostile hello_twice "it introduced itself twice"
hostile garbage "it sent an invalid message"
hostile size_lies "it sent an invalid message"
hostile of_recorders "it sent a message that only recorders send"
hostile flood "a window of 64x64 is not recorded: no memory is left for it, or its program has too many\|it does not read its messages" any
hostile talk 'fake ([0-9]*): \\x1b\[31mred\\x0aline'
[ "$(grep -c 'red' stderr.txt)" -le 20 ] || fail "a layer has $(grep -c red stderr.txt) lines printed"
for kind in bad_slot slot_twice after_end stream_twice number_twice number_far many_streams hello_twice garbage size_lies of_recorders flood talk; do
    expect_numbers "$(movie_of $kind)" 0 19
done
record_status 0 --output times.mov -- "$fake" --hostile times --frames 20
expect_numbers times-2.mov 0 19
record --output silent.mov -- "$fake" --hostile silent --frames 20
status=0
"$weir" record --codec hap --effort fast --policy wait --output large.mov -- "$fake" --hostile large --frames 20 >stdout.txt 2>stderr.txt || status=$?
if [ $status != 0 ]; then # on a machine without that memory
    expect_said "no memory is left for its frames"
fi
expect_numbers large.mov 0 19
echo passed
