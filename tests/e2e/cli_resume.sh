#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --resume: movies of a folder that are complete stay, whatever ended the run before; all others are made.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

mkdir clips shots
make clips/a.mp4 testsrc2=s=160x120:r=25:d=1 -c:v mjpeg
make clips/b.mkv testsrc2=s=320x180:r=25:d=5 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
make clips/c.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
make shots/%02d.png testsrc2=s=64x48:r=25:d=0.2
all=(clips/a.mp4 clips/b.mkv clips/c.png shots)

# state FOLDER: which files are in it, and since when.
state() { find "$1" -type f -printf '%p %i %s %T@\n' | sort; }
# resume KEPT [OPTIONS...]: the run, which leaves that many movies as they are.
resume() {
    local kept=$1
    shift
    "$weir" transcode "${all[@]}" movies --resume "$@" 2>messages.txt || fail "--resume: $(cat messages.txt)"
    [ "$(grep -c ': complete, left as it is$' messages.txt)" = "$kept" ] || fail "not $kept kept: $(cat messages.txt)"
    local last="movies: 4 of 4 movies, $kept of them as they were"
    [ "$kept" != 0 ] || last="movies: 4 of 4 movies"
    [ "$(tail -n 1 messages.txt)" = "$last" ] || fail "the last line is $(tail -n 1 messages.txt)"
}

# Nothing is there; then all is complete, and plays.
resume 0
grep -q 'made again' messages.txt && fail "what was not there is made anew: $(cat messages.txt)"
expect_movie movies/a.mov 160 120 25
expect_movie movies/b.mov 320 180 125
expect_movie movies/c.mov 64 48 1
expect_movie movies/shots.mov 64 48 5
grep -q 'it needs nothing' <<<"$("$weir" recover movies/a.mov)" || fail "weir recover does not take it for whole"
state movies >before.txt
resume 4
resume 4 --sync 0 --max-memory 2G
state movies | diff before.txt - || fail "--resume touched what was complete"
"$weir" transcode "${all[@]}" movies --resume --quiet 2>messages.txt
[ ! -s messages.txt ] || fail "--quiet: $(cat messages.txt)"
cp -r movies whole

# By any name: what counts is the file.
mkdir here
(cd here && "$weir" transcode ../clips/a.mp4 "$PWD/../shots/" ../movies --resume 2>messages.txt &&
    grep -qx '../movies: 2 of 2 movies, 2 of them as they were' messages.txt) || fail "$(cat here/messages.txt)"

# Without the option everything is made anew.
"$weir" transcode clips/a.mp4 shots movies 2>messages.txt
state movies | diff before.txt - >difference.txt && fail "without --resume movies stay"
[ "$(grep -c '^> movies/[as]' difference.txt)" = 2 ] || fail "$(cat difference.txt)"

# Cut by Ctrl-C, by a kill, by hand, or with something behind: made anew, and as it was.
stopping=("LD_PRELOAD=$(dirname "$program")/../lib/libe2e_disk_faults.so" "ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0"
    WEIR_STOP_AT_BYTE=$(($(stat -c %s movies/a.mov) + 450000)) "WEIR_KILL_FOLDER=$PWD/movies") # within the second movie
for signal in INT KILL; do
    rm movies/*
    begin "${stopping[@]}" "$program" transcode "${all[@]}" movies
    until_true grep -q '^State:[[:space:]]*T' /proc/$app/status
    child=$(cat /proc/$app/task/$app/children)
    kill -s $signal $app
    kill -s CONT $app 2>/dev/null || true # a killed one may have ended
    wait $app 2>/dev/null && fail "$signal: status 0"
    until_ended "${child// /}" # with it
    expect_no movies/c.mov
    resume 1
    grep -qx 'movies/b.mov was not complete; it is made again from clips/b.mkv' messages.txt ||
        fail "$signal: $(cat messages.txt)"
    for movie in a b c shots; do
        expect_packets movies/$movie.mov whole/$movie.mov
    done
done
truncate -s -1 movies/a.mov
echo >>movies/c.mov
resume 2
"$weir" transcode clips/a.mp4 movies/a.mov --quiet # by itself, which notes nothing
resume 3
resume 4

# An input that changed, and other options.
touch -d 2001-01-01 clips/a.mp4
cp shots/01.png shots/99.png
resume 2
grep -qx 'movies/a.mov was made of another input, or it has changed; it is made again from clips/a.mp4' messages.txt ||
    fail "$(cat messages.txt)"
expect_movie movies/shots.mov 64 48 6
resume 0 --compression snappy
grep -qx 'movies/c.mov was made with other options; it is made again from clips/c.png' messages.txt || fail "$(cat messages.txt)"
resume 4 --compression snappy
resume 0 --size 32x32
resume 4 --size 32x32

# One that fails comes again, and ends no other.
cp clips/a.mp4 clips/d.mkv
echo "no movie" >clips/e.mkv
for kept in 0 1; do
    expect_status 1 "failing: 1 of 2 movies" "$weir" transcode clips/d.mkv clips/e.mkv failing --resume
    [ "$(grep -c 'as they were' stderr.txt)" = $kept ] || fail "$(cat stderr.txt)"
done

# No room for the box: a warning, and the movie is as it should be.
make one.png testsrc2=s=4x4:r=1:d=1 -frames:v 1
for ((num = 1; num < 200; num++)); do
    make many.mkv testsrc2=s=4x4:r=25 -frames:v $num -c:v ffv1
    "$weir" transcode many.mkv alone.mov --quiet
    size=$(stat -c %s alone.mov)
    [ $((size % 1024)) -le 976 ] || break
done
[ $num -lt 200 ] || fail "no movie of that size"
expect_status 0 "many.mov is complete, but that could not be stored in it: No space left" \
    limited $(((size + 1023) / 1024)) "$weir" transcode many.mkv tight/
cmp alone.mov tight/many.mov || fail "the movie without its box is another one"

# On a terminal: one line of progress over all.
if command -v script >/dev/null; then
    script -qec "stty cols 200; '$program' transcode clips/a.mp4 clips/b.mkv clips/d.mkv bar" typescript.txt >/dev/null
    tr '\r' '\n' <typescript.txt | grep -o '[123]/3 clips/.*' >lines.txt
    grep -q '^1/3 clips/a.mp4: [0-9]*/~[0-9]* frames' lines.txt || fail "the first movie: $(head -n 3 lines.txt)"
    grep -q '^2/3 clips/b.mkv: [0-9]*/~1[0-9]* frames' lines.txt || fail "the second: $(head -n 20 lines.txt)"
    last=$(sed -n 's|^3/3 clips/d.mkv: \([0-9]*\)/175 frames.*|\1|p' lines.txt | tail -n 1)
    [ "${last:-0}" -ge 150 ] && [ "$last" -le 175 ] || fail "the last movie goes on from the others: $(tail -n 2 lines.txt)"
fi
echo passed
