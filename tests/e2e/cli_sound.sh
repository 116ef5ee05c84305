#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode: the sound of movies, judged by ffmpeg and ffprobe: every sample, its time, tracks and languages.
# bash cli_sound.sh WEIR FOLDER REORDER
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
reorder=$3

# sound FILE: codec, rate, channels and language of each sound track.
sound() {
    ffprobe -v error -select_streams a -show_entries stream=codec_name,sample_rate,channels:stream_tags=language \
        -of csv=p=0 "$1" | tr '\n' ' '
}

# samples FILE TRACK: a digest of the samples as they are stored.
samples() { ffmpeg -nostdin -v error -i "$1" -map "0:a:$2" -c copy -f data - | md5sum; }

# values FILE [OPTIONS...]: the first channel of the first track, 16 bits a sample, one a line.
values() {
    local file=$1
    shift
    ffmpeg -nostdin -v error "$@" -i "$file" -map 0:a:0 -af pan="mono|c0=c0" -c:a pcm_s16le -f s16le - |
        od -An -v -t d2 -w2 | tr -d ' '
}

# Samples that are not compressed stay what they are, bit by bit, whatever container they come from.
noise='aevalsrc=random(0)-0.5|random(1)-0.5:s=44100:d=2'
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i "$noise" -map 0 -map 1 -map 1 -map 1 \
    -map 1 -c:v ffv1 -c:a:0 pcm_s16le -c:a:1 pcm_s24le -c:a:2 pcm_s32le -c:a:3 pcm_f32le \
    -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -metadata:s:a:2 language=jpn pcm.mkv
"$weir" transcode pcm.mkv pcm.mov 2>messages.txt
expect_movie pcm.mov 64 48 50
grep -q '4 audio tracks' messages.txt || fail "the line at the end does not name the sound: $(<messages.txt)"
want='pcm_s16le,44100,2,eng pcm_s24le,44100,2,deu pcm_s32le,44100,2,jpn pcm_f32le,44100,2 '
[ "$(sound pcm.mov)" = "$want" ] || fail "the tracks are $(sound pcm.mov)"
for track in 0 1 2 3; do
    [ "$(samples pcm.mkv $track)" = "$(samples pcm.mov $track)" ] || fail "track $track has other samples"
done
ffmpeg -nostdin -v error -xerror -i pcm.mov -map 0 -f null - || fail "ffmpeg does not decode it"
"$weir" transcode pcm.mov again.mov
[ "$(sound again.mov)" = "$want" ] && [ "$(samples again.mov 1)" = "$(samples pcm.mov 1)" ] || fail "twice is not once"

# Big-endian and 8 bits, as other programs write them, and six channels.
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -f lavfi \
    -i sine=r=22050:d=1 -f lavfi -i 'aevalsrc=0.1|0.2|0.3|0.4|0.5|0.6:s=48000:d=1:c=5.1' -map 0 -map 1 -map 2 -map 3 \
    -c:v mjpeg -c:a:0 pcm_s24be -c:a:1 pcm_u8 -c:a:2 pcm_s16be other.mov
"$weir" transcode other.mov others.mov
[ "$(sound others.mov)" = 'pcm_s24le,48000,1 pcm_s16le,22050,1 pcm_s16le,48000,6 ' ] ||
    fail "the tracks are $(sound others.mov)"
[ "$(values other.mov | md5sum)" = "$(values others.mov | md5sum)" ] || fail "big-endian samples differ"

# Each channel stays where it is heard, for every layout that FFmpeg has and MOV can say; also recovered, joined, cut.
layout() { ffprobe -v error -select_streams a -show_entries stream=channel_layout -of csv=p=0 "$1"; }
layouts=$(ffmpeg -hide_banner -layouts 2>/dev/null | sed '1,/^Standard/d' | awk '$1 != "22.2" && $2 ~ /^[FBSTLCRDWE+]*$/ && $2 !~ /LFE2|TS|B[FL][CLR]/ { print $1 }')
[ "$(wc -w <<<"$layouts")" -ge 25 ] || fail "ffmpeg lists the layouts $layouts"
# placed LAYOUT...: placed.mov has a track of each, and layout.mov becomes of it.
placed() {
    local inputs=() maps=(-map 0) track
    for ((track = 1; track <= $#; track++)); do
        inputs+=(-f lavfi -i "anoisesrc=d=0.4,aformat=channel_layouts=${!track}") maps+=(-map $track)
    done
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 "${inputs[@]}" "${maps[@]}" -c:v mjpeg -c:a pcm_s16le placed.mov
    "$weir" transcode placed.mov layout.mov --quiet
    [ "$(layout layout.mov | xargs)" = "$*" ] || fail "the layouts $* become $(layout layout.mov | xargs)"
    for ((track = 0; track < $#; track++)); do
        [ "$(samples placed.mov $track)" = "$(samples layout.mov $track)" ] || fail "track $track of $*: its channels are others"
    done
}
xargs -n 8 <<<"$layouts" >eights.txt # a movie has as many tracks
while read -r -u 3 -a eight; do placed "${eight[@]}"; done 3<eights.txt
for layout in quad hexadecagonal downmix; do
    placed $layout
    mv layout.mov $layout.mov
    rm -f joined.mov
    "$weir" join $layout.mov $layout.mov joined.mov >/dev/null
    head -c $(($(stat -c %s $layout.mov) * 9 / 10)) $layout.mov >recovered.mov
    "$weir" recover recovered.mov --in-place >/dev/null
    [ "$(layout joined.mov) $(layout recovered.mov)" = "$layout $layout" ] || fail "joined or recovered, $layout becomes another layout"
done
ffmpeg -nostdin -v error -y -i quad.mov -af aformat=channel_layouts=4.0 -map 0 -c:v copy -c:a pcm_s16le around.mov
"$weir" transcode around.mov around_weir.mov --quiet
expect_status 1 'around_weir.mov: audio track 1 has the channels FL.FR.FC.BC, and that of quad.mov FL.FR.BL.BR' \
    "$weir" join quad.mov around_weir.mov refused.mov
"$weir" info quad.mov >said.txt
grep -q '4 channels, FL+FR+BL+BR' said.txt || fail "weir info: $(<said.txt)"
"$weir" info quad.mov downmix.mov hexadecagonal.mov --json >said.txt
for names in FL+FR+BL+BR DL+DR FL+FR+FC+BL+BR+BC+SL+SR+TFL+TFC+TFR+TBL+TBC+TBR+WL+WR; do
    grep -q "\"layout\": \"$names\"" said.txt || fail "weir info --json lacks $names"
done
# Sound that is compressed is named too.
ffmpeg -nostdin -v error -y -i placed.mov -i placed.mov -map 0 -map 1:a -ac 2 -c:v hap -c:a:0 aac -c:a:1 pcm_mulaw foreign.mov
"$weir" info foreign.mov >said.txt
for line in 'audio 1: compressed sound, mp4a, 48000 Hz, 2 channels, 0.4' 'audio 2: compressed sound, ulaw, 48000 Hz, 2 channels, 0.4'; do
    grep -q "  $line" said.txt || fail "weir info of compressed sound: $(<said.txt)"
done
"$weir" info foreign.mov --json >said.txt
grep -q '"codec": "mp4a"' said.txt || fail "weir info --json lacks mp4a"
if ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -f lavfi -i 'anoisesrc=d=0.4,aformat=channel_layouts=4.0' \
    -c:v mjpeg -c:a libopus -mapping_family 2 sphere.mkv 2>/dev/null && [ "$(layout sphere.mkv)" = 'ambisonic 1' ]; then
    "$weir" transcode sphere.mkv sphere.mov --quiet 2>messages.txt
    grep -q 'audio stream 1, ambisonic 1, become 4.0' messages.txt || fail "of a sphere it says $(<messages.txt)"
fi

# Compressed sound is where it belongs: a click at each second, within 10 ms. Some of FFmpeg's muxers move the tracks of
# a file by some milliseconds, and encoders begin a click early.
tone='aevalsrc=0.05*sin(2*PI*440*t)+0.8*lt(mod(t\,1)\,0.001)*gt(t\,0.5):s=48000:d=4'
for codec in aac:mp4 libmp3lame:mkv ac3:mkv libopus:mkv flac:mkv libvorbis:mkv; do
    name=${codec%:*} file=${codec%:*}.${codec#*:}
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i "$tone" -c:v mpeg4 -c:a "$name" \
        "$file" 2>encoder.txt || { echo "this ffmpeg has no $name: not tried"; continue; }
    "$weir" transcode "$file" "$name.mov"
    expect_movie "$name.mov" 64 48 100
    clicks=$(values "$name.mov" | awk '$1 > 12000 && NR > last + 24000 { last = NR; d = NR % 48000
        print (d > 24000 ? d - 48000 : d) }' | awk '$1 * $1 < 480 * 480' | wc -l)
    [ "$clicks" = 3 ] || fail "$name: $clicks of 3 clicks are where they belong"
done
[ "$(values flac.mkv | md5sum)" = "$(values flac.mov | md5sum)" ] || fail "samples of FLAC differ"

# The end: of all of a movie, of its first frames, and of frames that are repeated.
"$weir" transcode pcm.mkv short.mov --frames 30
# Matroska has times of whole milliseconds.
values short.mov >short.txt
num=$(wc -l <short.txt)
[ "$num" -ge 52876 ] && [ "$num" -le 52964 ] || fail "30 of 25 frames a second have $num samples of sound, not 52920"
cmp <(values pcm.mkv 2>short.log | head -n "$num") short.txt || fail "the beginning has other samples"
"$weir" transcode pcm.mkv faster.mov --fps 50
[ "$(samples pcm.mkv 0)" = "$(samples faster.mov 0)" ] || fail "--fps changes the sound"

# Sound that begins before the frames is cut to them, and where it begins later there is silence.
ffmpeg -nostdin -v error -y -itsoffset 0.5 -f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i "$noise" -c:v mpeg4 \
    -fps_mode passthrough -c:a pcm_s16le in_early.mov
"$weir" transcode in_early.mov early.mov --quiet --json >said.json 2>messages.txt
grep -q 'in_early.mov: 0.5.* s of sound before the first picture are cut' messages.txt || fail "it is not said: $(<messages.txt)"
grep -q '"audio_cut": 0.5' said.json && grep -q 'before the first picture' said.json || fail "JSON does not say it"
first=$(ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 in_early.mov |
    awk 'NR == 1 { print int($1 * 44100 + 0.5) + 1 }')
[ "$first" -gt 22000 ] || fail "ffmpeg made no movie whose frames begin late"
values in_early.mov | tail -n "+$first" | cmp - <(values early.mov) || fail "early sound is not cut to the first frame"
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=2 -itsoffset 0.5 -f lavfi -i "$noise" -c:v mpeg4 \
    -c:a pcm_s16le in_late.mov
"$weir" transcode in_late.mov late.mov
cmp <(yes 0 | head -22050; values in_late.mov) <(values late.mov) || fail "late sound does not begin with silence"

# The sound of another file: beside pictures, in place of the movie's own, as far as the pictures go.
mkdir pictures
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=64x48:r=30:d=2 pictures/f%08d.png
for length in 1 2 3; do
    ffmpeg -nostdin -v error -y -f lavfi -i "anoisesrc=r=48000:d=$length,aformat=channel_layouts=quad" -c:a pcm_s16le $length.wav
    "$weir" transcode pictures beside.mov --fps 30 --sound-from $length.wav --quiet 2>messages.txt
    ffmpeg -nostdin -v error -y -i $length.wav -t 2 -c:a pcm_s16le wanted.wav
    [ "$(samples beside.mov 0)" = "$(samples wanted.wav 0)" ] || fail "beside pictures are other samples than those of $length.wav"
    [ "$(layout beside.mov)" = quad ] || fail "its layout is $(layout beside.mov)"
    [ "$(grep -c "3.wav is longer than the pictures: its audio ends with them, after 2.000 s" messages.txt)" = $((length == 3)) ] ||
        fail "of $length.wav it says $(<messages.txt)"
done
"$weir" transcode pictures beside.mov --fps 30 --sound-from 3.wav --range 0.5-1 --quiet
ffmpeg -nostdin -v error -y -ss 0.5 -t 0.5 -i 3.wav -c:a pcm_s16le wanted.wav
[ "$(samples beside.mov 0)" = "$(samples wanted.wav 0)" ] || fail "a range has other samples"
"$weir" transcode - beside.mov --sound-from 2.wav --quiet <pcm.mkv
[ "$(sound beside.mov) $(samples beside.mov 0)" = "pcm_s16le,48000,4  $(samples 2.wav 0)" ] || fail "a movie keeps its own sound"
ffmpeg -nostdin -v error -y -i pcm.mkv -map 0:v -map 0:a:0 -c:v mpeg4 -c:a mp2 late.ts # which begins at 1.4 s
"$weir" transcode pictures beside.mov --fps 30 --sound-from late.ts --quiet
length=$(ffprobe -v error -select_streams a -show_entries stream=duration -of csv=p=0 beside.mov)
[[ $length == 1.9* || $length == 2.0* ]] || fail "of a file that begins late there are $length s"
for sound in empty.wav head.wav cut.m4a; do
    case $sound in
        empty.wav) : >empty.wav ;;
        head.wav) head -c 60 /dev/zero | cat <(printf 'RIFF\44\0\0\0WAVEfmt \20\0\0\0') - >head.wav ;;
        *) head -c 60 /dev/zero | cat <(printf '\0\0\0\30ftypM4A \0\0\0\0') - >cut.m4a ;;
    esac
    expect_status 1 "$sound: its audio cannot be read: FFmpeg does not know it, or it is empty or cut short" \
        "$weir" transcode pictures none.mov --sound-from $sound
done
expect_status 2 "standard input is for INPUT alone" "$weir" transcode pictures none.mov --sound-from -
expect_status 1 'none.wav: its audio cannot be read' "$weir" transcode pictures beside.mov --sound-from none.wav
expect_status 1 'it has no audio' "$weir" transcode pictures beside.mov --sound-from pictures/f00000001.png
expect_status 1 'is the output itself' "$weir" transcode pictures beside.mov --sound-from beside.mov
expect_status 2 'not with a folder' "$weir" transcode pictures movies/ --sound-from 1.wav
expect_status 2 'leave out one' "$weir" transcode pictures beside.mov --sound-from 1.wav --no-audio

# Without sound by the option.
"$weir" transcode pcm.mkv silent.mov --no-audio --quiet
[ -z "$(sound silent.mov)" ] || fail "--no-audio leaves $(sound silent.mov)"
"$weir" transcode - silent.mov --no-audio --quiet <pcm.mkv
[ -z "$(sound silent.mov)" ] || fail "--no-audio leaves $(sound silent.mov) of a pipe"

# What comes by a pipe is read once, and becomes what a file becomes.
# expect_same PIPED NAMED: all frames at their times, all tracks with their samples.
what() {
    local track
    ffprobe -v error -select_streams v -show_entries packet=pts_time,data_hash -show_data_hash md5 -of csv=p=0 "$1"
    sound "$1"
    for track in 0 1 2 3; do
        samples "$1" $track 2>/dev/null || true
    done
}
expect_same() { diff <(what "$1") <(what "$2") >difference.txt || fail "$1 is not $2: $(head -n 5 difference.txt)"; }
cat pcm.mkv | "$weir" transcode - piped.mov
"$weir" transcode - redirected.mov --quiet <pcm.mkv
mkfifo fifo
cat pcm.mkv >fifo &
"$weir" transcode fifo named_pipe.mov --quiet
for piped in piped redirected named_pipe; do
    expect_same $piped.mov pcm.mov
done
for file in early late others; do
    cat in_$file.mov 2>/dev/null >seekable.mov || cp other.mov seekable.mov
    ffmpeg -nostdin -v error -y -i seekable.mov -map 0 -c copy -f nut $file.nut
    "$weir" transcode $file.nut $file.mov --quiet
    cat $file.nut | "$weir" transcode - piped.mov --quiet
    expect_same piped.mov $file.mov
done
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i "$tone" -c:v mpeg4 -c:a aac -f matroska - |
    tee aac.mkv | "$weir" transcode - piped.mov --quiet
"$weir" transcode aac.mkv aac.mov --quiet
expect_same piped.mov aac.mov

# A pipe whose other end stays open: the movie ends with its frames, and with Ctrl-C.
mkfifo open go
{
    cat pcm.mkv
    read -r _ <go # it stays open until the program has ended
} >open &
"$weir" transcode open short_piped.mov --frames 30 --quiet
echo >go
expect_same short_piped.mov short.mov
{
    head -c 200000 pcm.mkv
    read -r _ <go
} >open &
begin "$program" transcode open stopped.mov
until_true test -s stopped.mov
kill -s INT $app
expect_end 1 interrupted
echo >go
expect_decodes stopped.mov

# All frames before all sound, and the other way round: more of them than are read ahead.
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=12 -f lavfi -i "$noise" -f lavfi \
    -i sine=r=48000:d=12 -map 0 -map 1 -map 2 -c:v mjpeg -c:a pcm_s16le long.nut
"$weir" transcode long.nut long.mov --quiet
for kind in video audio; do
    "$reorder" long.nut $kind.nut $kind 2>/dev/null
    cat $kind.nut | "$weir" transcode - piped.mov --quiet
    expect_same piped.mov long.mov
done
# Sound that lies too far before its frames is refused, and frames that come without it are kept.
far() {
    ffmpeg -nostdin -v error -itsoffset 30 -f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi \
        -i 'anullsrc=r=192000:cl=hexadecagonal:d=40' -c:v mjpeg -c:a pcm_f32le -f nut - 2>/dev/null || true
}
expect_status 1 'more than 256 MiB of its audio come before their frames, .*--no-audio' "$weir" transcode - far.mov < <(far)
expect_no far.mov
"$weir" transcode - far.mov --no-audio --quiet < <(far)
expect_movie far.mov 64 48 25

# Damaged sound: the frames are all there, and the sound that is there stays where it was.
cp libmp3lame.mkv damaged.mkv 2>/dev/null || cp aac.mp4 damaged.mkv
size=$(stat -c %s damaged.mkv)
for place in 30 50 70; do
    head -c 300 /dev/zero | dd of=damaged.mkv bs=1 seek=$((size * place / 100)) conv=notrunc status=none
done
"$weir" transcode damaged.mkv damaged.mov 2>messages.txt || true
expect_decodes damaged.mov
ffmpeg -nostdin -v error -xerror -i damaged.mov -map 0 -f null - || fail "a movie of damaged sound does not decode"
