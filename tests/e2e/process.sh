#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a program makes of the process that it is started in: closed standard streams, signals that are ignored, closed
# pipes. bash process.sh WEIR FOLDER BENCH [SAMPLE]
source "$(dirname "$0")/cli_common.sh"
bench=$3
sample=${4:-}

# without STREAMS COMMAND...: with those of standard input (0), output (1) and error (2) closed.
without() {
    local streams=$1
    shift
    (
        [[ $streams != *0* ]] || exec <&-
        [[ $streams != *1* ]] || exec >&-
        [[ $streams != *2* ]] || exec 2>&-
        exec "$@"
    )
}

# With messages on the way: some pictures are damaged.
make f_%02d.png testsrc2=s=160x120:r=25:d=1 -frames:v 25
for number in 03 08 09 13 20; do
    printf 'no picture' >f_$number.png
done
expect_status 0 "f_20.png" "$weir" transcode f_%02d.png movie.mov --effort fast
expect_movie movie.mov 160 120 20
[ -z "$sample" ] || "$sample" --headless --size 68x44 --frames 6 --output sample.mov >/dev/null
for streams in 0 1 2 012; do
    without $streams "$weir" transcode f_%02d.png closed.mov --effort fast 2>>words.txt || fail "without $streams: status $?"
    cmp closed.mov movie.mov || fail "without $streams the movie is another one"
    if [ -n "$sample" ]; then
        status=0
        without $streams "$sample" --headless --size 68x44 --frames 6 --output closed.mov >>words.txt 2>&1 || status=$?
        # What it prints on standard output cannot be printed.
        [[ $streams = *1* ]] && wanted=1 || wanted=0
        [ $status = $wanted ] || fail "sample_capture without $streams: status $status"
        cmp closed.mov sample.mov || fail "sample_capture without $streams: the movie is another one"
    fi
done
without 12 "$bench" pyramid --sizes 8x8 --repeats 1 --submits 1 --methods blit --json bench.json || true
expect_json bench.json
printf 'closed streams: the same movies\n'

# A pipe that nobody reads: an error and status 1, as a full disk is, and no signal.
exec {pipe}> >(:)
wait $!
deaf() { env --default-signal=PIPE "$@" >&$pipe; }
make picture.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
expect_status 1 "cannot write to standard output" deaf "$weir" info
expect_status 1 "cannot write to standard output" deaf "$weir" texture picture.png texture.ktx2 --codec bc4 --effort fast
"$weir" texture picture.png again.ktx2 --codec bc4 --effort fast >/dev/null
cmp texture.ktx2 again.ktx2 || fail "a closed pipe changed the texture"
expect_status 1 "cannot write to standard output" deaf "$bench" --help
if [ -n "$sample" ]; then
    expect_status 1 "cannot write to standard output" deaf "$sample" --headless --size 68x44 --frames 6 --output deaf.mov
    cmp deaf.mov sample.mov || fail "sample_capture into a closed pipe: the movie is another one"
fi
env --default-signal=PIPE "$weir" transcode f_%02d.png deaf.mov --effort fast 2>&$pipe || fail "no reader of messages: status $?"
cmp deaf.mov movie.mov || fail "no reader of messages changed the movie"
exec {pipe}>&-

# Signals that were ignored at the start, as by nohup and trap '' INT, do nothing.
make long.mkv testsrc2=s=320x180:r=25:d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
begin env --ignore-signal=HUP,INT,TERM "$weir" transcode long.mkv ignored.mov
until_true is_grown ignored.mov 200000
kill -s HUP $app
kill -s INT $app
kill -s TERM $app
expect_end 0 "ignored.mov: 75 frames"
expect_movie ignored.mov 320 180 75
if [ -n "$sample" ]; then
    # ended_by SIGNAL: by which the recording in SIGNAL.mov ends well.
    ended_by() {
        local written
        kill -s "$1" $app
        expect_end 1 interrupted
        written=$(sed -n 's/^frames .*written \([0-9]*\).*/\1/p' stdout.txt)
        [ "$(field "$1.mov" nb_read_frames)" = "$written" ] || fail "$1.mov has not the $written frames"
    }
    record=("$sample" --headless --size 68x44 --frames 100000 --output)
    begin env --ignore-signal=HUP,INT "${record[@]}" TERM.mov
    until_true is_grown TERM.mov 20000
    kill -s HUP $app
    kill -s INT $app
    until_true is_grown TERM.mov $(($(stat -c %s TERM.mov) + 20000))
    ended_by TERM
    for signal in INT HUP; do # which are not ignored
        begin "${record[@]}" $signal.mov
        until_true is_grown $signal.mov 20000
        ended_by $signal
    done
fi
expect_no .weir-*
echo passed
