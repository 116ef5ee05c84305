#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode of several inputs into a folder; an input that crashes FFmpeg's libraries costs nothing that was
# recorded, and no other input.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/crash.sh"
hold weir ffmpeg ffprobe

# hashes MOVIE [COUNT]: of its frames.
hashes() {
    ffmpeg -nostdin -v error -i "$1" -f framemd5 - | sed '/^#/d; s/.*, //' | head -n "${2:-100000}"
}

# A folder gets a movie of each input: the same as of each by itself.
mkdir clips shots.v2
make clips/a.mp4 testsrc2=s=80x60:r=25:d=2 -c:v mjpeg
make clips/b.mov testsrc2=s=320x240:r=30:d=0.5 -c:v mjpeg
make clips/c.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
make shots.v2/%02d.png testsrc2=s=64x48:r=25:d=0.2
"$weir" transcode clips/a.mp4 clips/b.mov clips/c.png shots.v2/ movies --compression snappy 2>messages.txt
[ "$(ls -A movies | xargs)" = "a.mov b.mov c.mov shots.v2.mov" ] || fail "the movies are $(ls -A movies)"
[ "$(wc -l <messages.txt)" = 5 ] && grep -qx "movies: 4 of 4 movies" <<<"$(tail -n 1 messages.txt)" ||
    fail "the summary is $(cat messages.txt)"
for input in clips/a.mp4 clips/b.mov clips/c.png shots.v2; do
    name=$(basename "$input")
    "$weir" transcode "$input" alone.mov --compression snappy --quiet
    # Behind it stands a box of what it was made of.
    cmp -n "$(stat -c %s alone.mov)" alone.mov "movies/${name%.[mp][pno][4vg]}.mov" || fail "$input becomes another movie in a folder"
done
"$weir" transcode clips/b.mov one/ --quiet 2>messages.txt
[ "$(ls -A one)" = b.mov ] && [ ! -s messages.txt ] || fail "one into a folder: $(ls -A one), $(cat messages.txt)"

# Nothing is written where two would have one name, or one has none.
mkdir other
cp clips/a.mp4 other/
expect_table transcode <<'LINES'
1|other/a.mp4: its output, none/a.mov, is also that of clips/a.mp4|clips/b.mov clips/a.mp4 other/a.mp4 none
1|shot_%04d.png gives a movie in a folder no name|shot_%04d.png none/
1|- gives a movie in a folder no name|- clips/a.mp4 none/
2|a.mp4: pictures become one movie, but movies do not; name a folder|clips/a.mp4 clips/c.png none.mov
LINES
expect_no none none.mov

# One that is missing or no movie is told, and the others are made.
echo "no movie" >clips/d.mkv
expect_status 1 "some: 2 of 4 movies" "$weir" transcode clips/a.mp4 missing.mp4 clips/d.mkv clips/c.png some
grep -q "cannot read missing.mp4" stderr.txt && grep -q "clips/d.mkv: " stderr.txt || fail "$(cat stderr.txt)"
[ "$(ls -A some | xargs)" = "a.mov c.mov" ] || fail "the movies are $(ls -A some)"
expect_status 1 "missing.mp4" "$weir" transcode missing.mp4 missing2.mp4 empty
expect_no empty

# expect_part MOVIE WHOLE FRAMES: the movie holds as many frames as the last run said, fewer than that number, and as
# they are in the whole one.
expect_part() {
    local said frames
    said=$(sed -n "s/.*${1//\//.} ends early: it holds \([0-9]*\) frames\?, and plays\$/\1/p" stderr.txt)
    frames=$(field "$1" nb_read_frames)
    [ "$said" = "$frames" ] && [ "$frames" -gt 0 ] && [ "$frames" -lt "$3" ] ||
        fail "$1 holds $frames frames: $(cat stderr.txt)"
    cmp <(hashes "$1") <(hashes "$2" "$frames") || fail "the frames of $1 are others"
    printf '%s: %s frames\n' "$1" "$frames"
}

# A crash at a late packet leaves the frames before it, one at an early packet nothing.
declare -A words=([ABRT]=Aborted [SEGV]="Segmentation fault" [KILL]="was killed, by the system" [XCPU]="was ended: it took very much time")
for signal in ABRT SEGV KILL XCPU; do
    rm -rf crashed
    expect_status 1 "the process that read clips/a.mp4 .*${words[$signal]}" \
        crashing $signal 40 a.mp4 "$weir" transcode clips/a.mp4 clips/b.mov clips/c.png crashed
    grep -qx "crashed: 2 of 3 movies" <<<"$(tail -n 1 stderr.txt)" || fail "$(cat stderr.txt)"
    [ "$(ls -A crashed | xargs)" = "a.mov b.mov c.mov" ] || fail "$signal left $(ls -A crashed)"
    expect_part crashed/a.mov movies/a.mov 40
    expect_movie crashed/b.mov 320 240 15
    expect_movie crashed/c.mov 64 48 1
done
expect_status 1 "read clips/a.mp4 crashed" crashing ABRT 1 a.mp4 "$weir" transcode clips/a.mp4 clips/b.mov first
[ "$(ls -A first)" = b.mov ] || fail "a crash at the start left $(ls -A first)"

# The same of one movie. What was there before stays until the first frame.
printf before >older.mov
expect_status 1 "read clips/a.mp4 crashed" crashing ABRT 1 a.mp4 "$weir" transcode clips/a.mp4 older.mov
[ "$(cat older.mov)" = before ] || fail "a crash took the movie that was there"
expect_status 1 "crashed (Aborted)" crashing ABRT 40 a.mp4 "$weir" transcode clips/a.mp4 older.mov
expect_part older.mov movies/a.mov 40
mkdir short
ffmpeg -nostdin -v error -i clips/a.mp4 -c copy -frames:v 10 short/a.mp4
expect_status 1 "crashed (Aborted)" crashing ABRT 8 a.mp4 "$weir" palette short/a.mp4 few.mov --table
"$weir" palette short/a.mp4 few_whole.mov --table >stdout.txt 2>messages.txt
expect_part few.mov few_whole.mov 8

# In the middle of any message, and at any time.
for message in 1 2 3 4 5 6 8 12 20 40; do
    rm -f torn.mov
    WEIR_CRASH_MESSAGE=$message expect_status 1 "read clips/a.mp4 crashed (Aborted)" \
        crashing ABRT 0 none "$weir" transcode clips/a.mp4 torn.mov
    [ ! -e torn.mov ] || expect_part torn.mov movies/a.mov 50
done
for ((run = 0; run < 10; run++)); do
    rm -f killed.mov
    begin "$program" transcode clips/a.mp4 killed.mov
    sleep 0.$((RANDOM % 9))
    read -r child <"/proc/$app/task/$app/children" 2>/dev/null && kill -KILL $child 2>/dev/null || true
    status=0
    wait $app || status=$?
    cp messages.txt stderr.txt
    [ $status = 0 ] || grep -q "the process that read clips/a.mp4 was killed" stderr.txt || fail "$(cat stderr.txt)"
    [ $status = 0 ] || [ ! -e killed.mov ] || expect_part killed.mov movies/a.mov 51
    [ $status = 1 ] || expect_movie killed.mov 80 60 50
done

# Just when the output has no name yet: whatever the moment, no other file is left.
for packet in 2 3 4; do
    rm -rf early
    mkdir early
    expect_status 1 "crashed" crashing SEGV $packet a.mp4 "$weir" transcode clips/a.mp4 early/a.mov
    [ "$(ls -A early | grep -cv '^a.mov$')" = 0 ] || fail "a crash at packet $packet left $(ls -A early)"
done

# A program that is killed leaves no process that goes on, and a movie that plays.
make long.mkv testsrc2=s=640x360:r=25:d=8 -c:v mjpeg
begin "$program" transcode long.mkv clips/b.mov killed
until_true is_grown killed/long.mov 1000000
child=$(cat /proc/$app/task/$app/children)
[ -n "$child" ] || fail "the movie is decoded by no child process"
kill -KILL $app
wait $app 2>/dev/null || true
until_ended "${child// /}"
expect_no killed/b.mov
frames=$(ffprobe -v quiet -count_packets -show_entries stream=nb_read_packets -of csv=p=0 killed/long.mov)
[ "$frames" -gt 0 ] && [ "$frames" -lt 200 ] || fail "killed/long.mov has $frames frames"

# Ctrl-C ends all of it: the movie so far plays, and no other is begun.
begin "$program" transcode long.mkv clips/b.mov stopped
until_true is_grown stopped/long.mov 1000000
child=$(cat /proc/$app/task/$app/children)
# shellcheck disable=SC2086
kill -INT $app $child # a terminal sends it to both
expect_end 1 interrupted
grep -qx "stopped: 0 of 2 movies" <<<"$(tail -n 1 messages.txt)" || fail "$(cat messages.txt)"
[ "$(ls -A stopped)" = long.mov ] || fail "an interrupt left $(ls -A stopped)"
expect_decodes stopped/long.mov
echo passed
