#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_live.sh WEIR FOLDER FAKE: weir record to the standard output and to sockets, alone and beside a movie.
docs=$(cd "$(dirname "$0")" && pwd)
source "$docs/cli_common.sh"
source "$docs/record/record_common.sh"
hold ffprobe ffmpeg

# stream ARGUMENTS...: record into the standard output, which has nothing else: what the program prints goes elsewhere.
stream() {
    "$weir" record --codec hap --effort fast --policy wait --output - "$@" 2>stderr.txt
}
for format in nut matroska avi mov; do
    stream --format $format -- "$fake" --frames 40 >take.$format || fail "$format: $(cat stderr.txt)"
    expect_numbers take.$format 0 39
    expect_said "^presented 40, sent 40, lost 0"
    expect_said ": 40 frames, 64x48, .*; to pipe:[0-9]* 40 packets, 0 dropped"
done
stream -- "$fake" --frames 40 | cat >take.pipe
expect_numbers take.pipe 0 39
[ "$(ffprobe -v error -show_entries format=format_name -of csv=p=0 take.pipe)" = nut ] || fail "a pipe does not get NUT"

# Only the first window is sent; JSON goes to standard error too.
stream --json -- "$fake" --windows 2 --frames 10 >first.nut || fail "windows: $(cat stderr.txt)"
expect_numbers first.nut 0 9
expect_said '"frames": 10'

# A reader that goes away ends the recording, and not the program.
stream -- "$fake" --until gone | head -c 5000 >/dev/null &
reader=$!
until_true grep -q "cannot write to pipe:[0-9]*: Broken pipe" stderr.txt
touch gone
wait $reader || true
expect_said "^presented "

# One that reads nothing holds up the end for two seconds, and the recording failed.
status=0
mkfifo stuck
sleep 120 <>stuck &
reader=$!
timeout 100 "$weir" record --output - --policy drop -- "$fake" --frames 300 2>stderr.txt >stuck || status=$?
[ $status = 1 ] || fail "a reader that reads nothing: status $status: $(cat stderr.txt)"
expect_said "cannot write to pipe:[0-9]*: "
kill $reader

# A receiver beside a movie: it comes late, and goes early; the movie has every frame.
port=$((20000 + $$ % 12000)) # the system gives those from 32768 on to clients
record --output beside.mov --also "tcp://127.0.0.1:$port?listen" -- "$fake" --frames 40
expect_numbers beside.mov 0 39
expect_said "beside.mov: 40 frames, .*; to tcp://127.0.0.1:$port?listen 0 packets, 40 dropped"
start --output late.mov --also "tcp://127.0.0.1:$port?listen" --format matroska -- "$fake" --until end
until_true ffmpeg -nostdin -v error -i "tcp://127.0.0.1:$port" -c copy -frames:v 20 -y received.mkv
touch end
finish 0
[ "$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 received.mkv)" = 20 ] || fail "not 20 frames were received"
expect_numbers late.mov 0 $(($(sed -n 's/^presented \([0-9]*\), .*/\1/p' stdout.txt) - 1))

# What cannot be is said before the program is started.
refuse() {
    local words=$1
    shift
    record_status 2 "$@" -- "$fake" --frames 2
    expect_said "$words"
    [ ! -s stdout.txt ] || fail "the program was started: $*"
}
refuse "no muxer of the name 'nothing'" --output - --format nothing
refuse "cannot open 'nothing://x'" --output nothing://x
refuse "it goes with an address" --output take.mov --format nut
refuse "beside a movie" --output - --also tcp://127.0.0.1:1
refuse "it takes an address" --also other.mov
refuse "neither segments nor a sidecar" --output - --segment 1
refuse "neither segments nor a sidecar" --output - --sidecar
echo passed
