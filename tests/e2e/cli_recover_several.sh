#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir recover of several movies in one call, of sound behind a lost head, and what it says of sound tracks; judged by
# ffprobe and ffmpeg.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=48x32:r=50:d=1" -f lavfi -i "sine=f=300:r=48000:d=1" \
    -f lavfi -i "sine=f=700:r=44100:d=1" -map 0 -map 1 -map 2 -metadata:s:a:1 language=fra -c:v ffv1 -c:a pcm_s24le source.mkv
"$weir" transcode source.mkv whole.mov --quiet
size=$(stat -c %s whole.mov)

# streams MOVIE: what its tracks hold, sample by sample.
streams() { ffmpeg -nostdin -v error -i "$1" -map 0 -c copy -f streamhash - 2>&1; }
facts() { ffprobe -v error -show_entries stream=codec_name,sample_rate,channels,nb_frames:stream_tags=language -of csv=p=0 "$1"; }

# What is said of a movie that needs nothing, and of one that was cut.
expect_status 0 "audio 1: 24-bit, 48000 Hz, 1 channel, 1.000 s" "$weir" recover whole.mov
grep -q "audio 2: 24-bit, 44100 Hz, 1 channel, fra, 1.000 s" stdout.txt || fail "it says $(cat stdout.txt)"
head -c $((size / 2)) whole.mov >cut.mov
"$weir" recover cut.mov --dry-run --json >report.json
expect_json report.json
[ "$(grep -c '"sample_rate": 4[48][01]00' report.json)" = 2 ] || fail "JSON: $(cat report.json)"

# weir info says the same of movies, and needs no device for it.
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent "$weir" info whole.mov >said.txt
[ "$(head -n 1 said.txt)" = "whole.mov: hap_q, 48x32, 50 frames, 1.000 s" ] || fail "info says $(cat said.txt)"
grep -q "audio 2: 24-bit, 44100 Hz, 1 channel, fra, 1.000 s" said.txt || fail "info says $(cat said.txt)"
ffmpeg -nostdin -v error -y -i source.mkv -map 0:v -c:v mjpeg jpeg.mov
expect_status 1 "jpeg.mov is not a HAP movie" "$weir" info jpeg.mov
expect_status 1 "cannot open none.mov" "$weir" info none.mov
ffmpeg -nostdin -v error -y -i source.mkv -frames:v 1 frame.png
expect_status 1 "frame.png is a PNG picture; weir info reads HAP movies" "$weir" info frame.png
expect_status 1 "cut.mov has no index" "$weir" info whole.mov cut.mov --json
expect_json stdout.txt
[ "$(grep -c '"path"' stdout.txt)" = 1 ] && grep -q '"language": "fra"' stdout.txt || fail "JSON: $(cat stdout.txt)"

# A closed movie whose head is lost: the index says what its sound is, and where it lies.
cp whole.mov headless.mov
zero headless.mov 0 1500 /dev/urandom
recovered "its head was lost" headless.mov
[ "$(streams new.mov)" = "$(streams whole.mov)" ] || fail "frames or sound behind a lost head: $(streams new.mov)"
[ "$(facts new.mov)" = "$(facts whole.mov)" ] || fail "tracks behind a lost head: $(facts new.mov)"
expect_status 0 "it needs nothing" "$weir" recover new.mov

# Another program's movie with one damaged frame keeps its sound.
ffmpeg -nostdin -v error -y -i source.mkv -map 0 -c:v hap -s 48x32 -c:a pcm_s16le ffmpeg.mov
zero ffmpeg.mov "$(frame_at ffmpeg.mov 20)" 4
recovered "1 frame lost, from 0.380 s on" ffmpeg.mov
[ "$(streams new.mov | grep -v '^0,')" = "$(streams ffmpeg.mov | grep -v '^0,')" ] || fail "sound beside a damaged frame"
[ "$(field new.mov nb_read_frames)" = 49 ] || fail "$(field new.mov nb_read_frames) frames beside a damaged one"

# fragment TRACK N: where the N-th fragment of a track begins.
fragment() {
    LC_ALL=C grep -obaF moof whole.mov | while IFS=: read -r at _; do
        [ "$(od -An -tu1 -j $((at + 43)) -N 1 whole.mov | tr -d ' ')" != "$1" ] || echo $((at - 4))
    done | sed -n "$2p"
}

# A hole in the head of a fragment. That of a frame is found by itself; that of sound is no frame that is lost.
for track in 1 2; do
    cp whole.mov hole.mov
    truncate -s $((size - 100)) hole.mov
    zero hole.mov $(($(fragment $track 4) + 40)) 20
    "$weir" recover hole.mov --dry-run --json >report$track.json
    grep -q '"lost": 0' report$track.json || fail "frames of track $track: $(cat report$track.json)"
done
grep -q '"audio_samples_lost": 0' report1.json || fail "sound that is there: $(cat report1.json)"
grep -q '"audio_samples_lost": [1-9]' report2.json || fail "lost sound is not told: $(cat report2.json)"
# A frame that is lost with its fragment is told, and when it was shown.
cp whole.mov hole.mov
truncate -s $((size - 100)) hole.mov
zero hole.mov $(($(fragment 1 30) + 40)) 100
expect_status 0 "1 frame lost, from 0.580 s on" "$weir" recover hole.mov --dry-run

# Several: into a folder, in place, and of a folder. One that is none does not stop the others.
mkdir takes
for i in 1 2 3; do
    head -c $((size * i / 4)) whole.mov >takes/take.00$i.mov
    "$weir" recover takes/take.00$i.mov single.$i.mov --quiet
done
cp whole.mov takes/take.004.mov
head -c 5000 /dev/urandom >takes/take.000.mov
expect_status 1 "take.000.mov: it has neither head nor index" "$weir" recover takes/take.*.mov recovered/
grep -q "5 movies: 3 made whole, 1 that need nothing, 1 failed" stdout.txt || fail "it says $(cat stdout.txt)"
for i in 1 2 3; do
    cmp recovered/take.00$i.mov single.$i.mov || fail "take $i of several is not what it is alone"
done
[ "$(ls recovered | wc -l)" = 3 ] || fail "there are $(ls recovered)"
cp -r takes other
expect_status 1 "take.000.mov" "$weir" recover other
[ "$(ls other | grep -c recovered)" = 3 ] || fail "there are $(ls other)"
cmp other/take.002.recovered.mov single.2.mov || fail "a take of a folder is not what it is alone"
"$weir" recover takes --json >report.json 2>/dev/null || true
expect_json report.json
[ "$(grep -c '"state"' report.json)" = 5 ] || fail "JSON: $(cat report.json)"
rm takes/*.recovered.mov takes/take.000.mov
expect_status 0 "4 movies: 3 made whole, 1 that need nothing, 0 failed" "$weir" recover takes/*.mov --in-place
for i in 1 2 3; do
    [ "$(streams takes/take.00$i.mov)" = "$(streams single.$i.mov)" ] || fail "take $i in place"
done
mkdir one
cp cut.mov one/
expect_status 0 "^1 movie: 1 made whole, 0 that need nothing, 0 failed$" "$weir" recover one
"$weir" recover takes --in-place --quiet >said.txt
[ ! -s said.txt ] || fail "--quiet said $(cat said.txt)"

# A pipe that nobody writes to.
mkdir pipes
cp cut.mov pipes
mkfifo pipes/wait.mov
timeout 60 "$weir" recover pipes saved/ --quiet
[ "$(ls saved)" = cut.mov ] || fail "of a folder with a pipe: $(ls saved)"
rm pipes/cut.mov
expect_status 1 "no movie is in the folder" timeout 60 "$weir" recover pipes saved/

# Slips.
cp cut.mov before.mov
expect_status 1 "is no folder" "$weir" recover cut.mov headless.mov new.mov
expect_status 1 "cannot open none.mov" "$weir" recover cut.mov none.mov --in-place
cmp cut.mov before.mov || fail "a slip changed a movie"
expect_status 1 "exists and is not replaced" "$weir" recover cut.mov recovered/take.001.mov
expect_clean
