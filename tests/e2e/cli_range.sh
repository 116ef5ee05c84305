#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --range: exactly the frames and the sound of a part, from inputs that can be searched and others.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg

# frames MOVIE: the time [s] and the checksum of each packet.
frames() {
    ffmpeg -nostdin -v error -i "$1" -map 0:v -c copy -f framemd5 - | tr -d ' ' |
        awk -F, '/^#tb/ { split($0, tb, /[:\/]/) } !/^#/ { printf "%.5f %s\n", $3 * tb[2] / tb[3], $6 }'
}

# samples MOVIE FILE [FIRST NUM]: its sound, two channels of 16 bits, or so many samples of it.
samples() {
    ffmpeg -nostdin -v error -y -i "$1" -map 0:a -f s16le -c:a pcm_s16le all.pcm
    dd if=all.pcm of="$2" bs=64k iflag=skip_bytes,count_bytes skip=$((4 * ${3:-0})) count=$((4 * ${4:-10000000})) status=none
}

# expect_part PART WHOLE FROM TO [FRAMES]: the part is the frames of the whole with FROM <= time < TO, from 0 on.
expect_part() {
    frames "$2" | awk -v from="$3" -v to="$4" '
        $1 > from - 1e-5 && $1 < to - 1e-5 { if (!n++) first = $1; printf "%.4f %s\n", $1 - first, $2 }' >wanted.txt
    frames "$1" | awk '{ printf "%.4f %s\n", $1, $2 }' >found.txt
    [ -s wanted.txt ] || fail "no frames are wanted of $2"
    cmp -s wanted.txt found.txt || fail "$1 is not $2 from $3 to $4: $(diff wanted.txt found.txt | head -n 5)"
    [ -z "${5:-}" ] || [ "$(wc -l <found.txt)" = "$5" ] || fail "$1 has $(wc -l <found.txt) frames instead of $5"
    printf '%s: %s frames of %s\n' "$1" "$(wc -l <found.txt)" "$2"
}

# expect_sound PART WHOLE FIRST NUM: samples of two channels of 16 bits, byte by byte.
expect_sound() {
    samples "$2" wanted.pcm "$3" "$4"
    samples "$1" found.pcm
    cmp wanted.pcm found.pcm || fail "the sound of $1 is $(stat -c %s found.pcm) bytes, not the $(stat -c %s wanted.pcm) of $2"
}

noise="aevalsrc='0.4*sin(2*PI*t*(300+100*t))|0.4*random(0)':s=48000:d=10"
make h264.mov testsrc2=s=100x76:r=25:d=10 -f lavfi -i "$noise" -c:v libx264 -g 60 -bf 3 -pix_fmt yuv420p -c:a pcm_s16le
ffmpeg -nostdin -v error -y -i h264.mov -map 0 -c copy h264.mkv
ffmpeg -nostdin -v error -y -i h264.mov -map 0:v -c copy h264.ts
make open.mp4 testsrc2=s=100x76:r=25:d=10 -c:v libx264 -x264-params open-gop=1:keyint=40:bframes=3:b-adapt=0 -pix_fmt yuv420p
make refresh.mkv testsrc2=s=100x76:r=25:d=10 -c:v libx264 -x264-params intra-refresh=1:keyint=40:bframes=0 -pix_fmt yuv420p
make mpeg4.avi testsrc2=s=100x76:r=25:d=10 -c:v mpeg4 -g 50 -bf 2
make mpeg2.mpg testsrc2=s=100x76:r=25:d=10 -c:v mpeg2video -g 30 -bf 2
make variable.mkv "testsrc2=s=100x76:r=30:d=10,select='not(mod(n\,3))+not(mod(n\,7))'" -vsync vfr -c:v libx264 -g 40 -pix_fmt yuv420p

ranges=("5.2-7.96" "2.43-2.51" "0.01-1" "0:09.5-" "-00:00:01.5")
declare -A bounds=([5.2-7.96]="5.2 7.96" [2.43-2.51]="2.43 2.51" [0.01-1]="0.01 1" [0:09.5-]="9.5 100" [-00:00:01.5]="0 1.5")
turn=0
for input in h264.mov h264.mkv h264.ts open.mp4 refresh.mkv mpeg4.avi mpeg2.mpg variable.mkv; do
    whole=whole_${input%.*}_${input#*.}.mov
    "$weir" transcode "$input" "$whole" --effort fast --quiet
    # One in the middle, behind which a frame depends on others, of each; and of the others one of each in turn.
    of_this=("${ranges[0]}" "${ranges[1 + turn++ % 4]}")
    [ "$input" != open.mp4 ] || of_this=("${ranges[@]}")
    for range in "${of_this[@]}"; do
        read -r from to <<<"${bounds[$range]}"
        "$weir" transcode "$input" part.mov --range "$range" --effort fast --quiet
        expect_part part.mov "$whole" "$from" "$to"
    done
done

# What cannot be searched is read up to there.
"$weir" transcode - part.mov --range 5.2-7.96 --effort fast --quiet --no-audio < <(cat h264.mkv)
expect_part part.mov whole_h264_mkv.mov 5.2 7.96 69
"$weir" transcode h264.mov part.mov --range 5.2-7.96 --frames 10 --effort fast --quiet
expect_part part.mov whole_h264_mov.mov 5.2 5.6 10
expect_sound part.mov whole_h264_mov.mov $((52 * 4800)) $((4 * 4800))

# A seek does not read what lies before but the first frames: it may be damaged.
size=$(stat -c %s h264.mov)
ffprobe -v error -select_streams v -show_entries packet=pos,pts_time,flags -of csv=p=0 h264.mov >packets.txt
at=$(awk -F, '$1 >= 4.8 && $3 ~ /K/ { print $2; exit }' packets.txt)
second=$(awk -F, '$1 >= 2.4 && $3 ~ /K/ { print $2; exit }' packets.txt)
cp h264.mov damaged.mov
head -c $((at - second)) /dev/urandom | dd of=damaged.mov bs=64k seek="$second" oflag=seek_bytes conv=notrunc status=none
[ "$(stat -c %s damaged.mov)" = "$size" ] || fail "the damaged movie has another size"
"$weir" transcode damaged.mov part.mov --range 5.2-7.96 --effort fast --quiet --no-audio 2>messages.txt
expect_part part.mov whole_h264_mov.mov 5.2 7.96 69
[ ! -s messages.txt ] || fail "damage before the part was read: $(cat messages.txt)"

# The sound of the part, from its first frame to its end.
for range in "5.2 7.96" "9 10" "0 0.5"; do
    from=${range% *} to=${range#* }
    "$weir" transcode h264.mov part.mov --range "$from-$to" --effort fast --quiet
    first=$(awk -v t="$from" 'BEGIN { printf "%d", t * 48000 + 0.5 }')
    num=$(awk -v a="$from" -v b="$to" 'BEGIN { printf "%d", (b - a) * 48000 + 0.5 }')
    expect_sound part.mov whole_h264_mov.mov "$first" "$num"
done
# It begins with the frame, and the part ends where it is said to.
"$weir" transcode h264.mov part.mov --range 5.19-7.9 --effort fast --quiet
expect_sound part.mov whole_h264_mov.mov $((52 * 4800)) $((27 * 4800))
# Of other codecs, whose decoders need what lies before: the same as far as their own rounding.
ffmpeg -nostdin -v error -y -i h264.mov -map 0 -c:v copy -c:a libmp3lame -b:a 256k mp3.mp4
"$weir" transcode mp3.mp4 whole_mp3.mov --effort fast --quiet
"$weir" transcode mp3.mp4 part.mov --range 6-8 --effort fast --quiet
samples whole_mp3.mov wanted.pcm $((6 * 48000)) $((2 * 48000))
samples part.mov found.pcm
paste <(od -An -v -t d2 -w2 wanted.pcm) <(od -An -v -t d2 -w2 found.pcm) |
    awk '{ d = $1 - $2; e += d * d; s += $1 * $1 } END { exit !(NR == 192000 && s > 1e9 && e < s / 1e6) }' ||
    fail "the sound of a part of mp3 is another"

# A part of a HAP movie is copied, its frames byte by byte and its sound to the sample, and so is one of ffmpeg's.
tell="copied without encoding"
for range in "${ranges[@]}"; do
    read -r from to <<<"${bounds[$range]}"
    for input in h264_mov variable_mkv; do
        expect_status 0 "$tell" "$weir" transcode whole_$input.mov part.mov --range "$range"
        expect_part part.mov whole_$input.mov "$from" "$to"
    done
done
for range in "5.2 7.96" "5.19 7.9" "0 0.51234"; do
    from=${range% *} to=${range#* }
    "$weir" transcode whole_h264_mov.mov part.mov --range "$from-$to" --quiet
    first=$(awk -v t="$from" 'BEGIN { printf "%d", int(t * 25 + 0.99) * 1920 }')
    expect_sound part.mov whole_h264_mov.mov "$first" "$(awk -v f="$first" -v t="$to" 'BEGIN { x = t * 48000; printf "%d", int(x) + (x > int(x)) - f }')"
done
expect_status 0 "part.mov: 1 frame, " "$weir" transcode whole_h264_mov.mov part.mov --range 0-0.01
ffmpeg -nostdin -v error -y -i whole_h264_mov.mov -c:v hap -c:a copy -metadata title=Kept ffmpeg.mov
expect_status 0 "$tell" "$weir" transcode ffmpeg.mov part.mov --range 5.2-7.96 --codec hap
expect_part part.mov ffmpeg.mov 5.2 7.96 69
expect_sound part.mov ffmpeg.mov $((52 * 4800)) 132480
[ "$(ffprobe -v error -show_entries format_tags=title -of csv=p=0 part.mov)" = Kept ] || fail "the part has no title"
"$weir" transcode whole_h264_mov.mov coded.mov --timecode 10:00:00:00 --effort fast --quiet
expect_status 0 "$tell" "$weir" transcode coded.mov part.mov --range 5.2-7 --timecode keep
grep -q "time code 10:00:05:05" <<<"$("$weir" info part.mov)" || fail "the time code of the part is another"
# What changes no picture is heeded, and the frames are copied; else they are encoded anew, and a line says why.
while IFS='|' read -r said options; do
    # shellcheck disable=SC2086
    expect_status 0 "$said" "$weir" transcode whole_h264_mov.mov part.mov --range 5-6 $options
done <<'LINES'
copied without encoding|--frames 5
copied without encoding|--profile ignore
copied without encoding|--tonemap clip --size 100x76 --pad 4
copied without encoding|--timecode 01:00:00:00
copied without encoding|--no-audio
whole_h264_mov.mov: its frames are encoded anew, not copied: --effort is given|--effort fast
not copied: --sidecar is given|--sidecar
not copied: --fps is given|--fps 10
not copied: they are hap_q; --codec hap_q copies them|--codec hap
not copied: they get another size|--scale 50%
LINES
"$weir" transcode whole_h264_mov.mov part.mov --range 5-6 --frames 5 --timecode 01:00:00:00 --json --quiet >report.json
expect_part part.mov whole_h264_mov.mov 5 5.2 5
expect_sound part.mov whole_h264_mov.mov $((50 * 4800)) $((2 * 4800))
grep -q '"copied": *true' report.json && grep -q '"timecode": *"01:00:00:00"' report.json || fail "the report: $(cat report.json)"
"$weir" transcode whole_h264_mov.mov part.mov --range 5-6 --effort fast --json --quiet >report.json
grep -q '"not_copied": *"--effort is given"' report.json || fail "the report: $(cat report.json)"
"$weir" transcode whole_h264_mov.mov part.mov --range 5-6 --no-audio --quiet
! ffprobe -v error -show_entries stream=codec_type -of csv=p=0 part.mov | grep audio || fail "the part has sound"
# So is what the movie has besides.
ffmpeg -nostdin -v error -y -i ffmpeg.mov -c copy -metadata artist=Me artist.mov
expect_status 0 "left out: metadata (artist)" "$weir" transcode artist.mov part.mov --range 5-6 --codec hap
expect_part part.mov artist.mov 5 6 25
grep "$tell" stderr.txt || fail "an artist makes frames be encoded"
ffmpeg -nostdin -v error -y -i ffmpeg.mov -c:v copy -c:a aac aac.mov
expect_status 0 "not copied: its audio is compressed" "$weir" transcode aac.mov part.mov --range 5-6 --codec hap
expect_status 0 "$tell" "$weir" transcode aac.mov part.mov --range 5-6 --codec hap --no-audio
ffmpeg -nostdin -v error -y -i ffmpeg.mov -c copy -color_primaries bt2020 -movflags write_colr wide.mov
expect_status 0 "not copied: their colours become sRGB" "$weir" transcode wide.mov part.mov --range 5-6 --codec hap
# Frames are checked before they are copied: of two that are damaged the others stay where they are.
"$weir" transcode h264.mov packed.mov --compression snappy --effort fast --quiet
ffprobe -v error -select_streams v -show_entries packet=pos -of csv=p=0 packed.mov >packets.txt
cp packed.mov damaged.mov
for number in 126 140; do
    printf '\377\377\377\377' | dd of=damaged.mov bs=1 seek=$(($(sed -n "${number}p" packets.txt) + 40)) conv=notrunc status=none
done
expect_status 0 "damaged.mov: 2 damaged frames are left out" "$weir" transcode damaged.mov part.mov --range 5-6
frames packed.mov | sed '1,126d;140d;151,$d' | awk '{ if (!n++) first = $1; printf "%.4f %s\n", $1 - first, $2 }' >wanted.txt
cmp wanted.txt <(frames part.mov | awk '{ printf "%.4f %s\n", $1, $2 }') || fail "the good frames are others"

# At another rate: its steps go on as in the whole.
for input in h264.mov variable.mkv; do
    "$weir" transcode "$input" whole.mov --fps 10 --effort fast --quiet --no-audio
    "$weir" transcode "$input" part.mov --fps 10 --range 5.21-7.95 --effort fast --quiet --no-audio
    expect_part part.mov whole.mov 5.21 7.95 27
done

# Pictures by their rate; what lies before is not decoded.
mkdir pictures
make pictures/f_%03d.png testsrc2=s=64x48:r=10:d=3
"$weir" transcode pictures/f_%03d.png whole.mov --fps 10 --effort fast --quiet
echo damaged >pictures/f_002.png
"$weir" transcode pictures/f_%03d.png part.mov --fps 10 --range 1-2.05 --effort fast --quiet 2>messages.txt
expect_part part.mov whole.mov 1 2.05 11
[ ! -s messages.txt ] || fail "a picture before the part was read: $(cat messages.txt)"
"$weir" transcode pictures part.mov --fps 10 --range 2.55- --effort fast --quiet
expect_part part.mov whole.mov 2.55 4 4

# What is empty, and what is no part.
expect_table transcode <<'LINES'
1|h264.mov: no frame begins at or after 10 s; it lasts 10 s|h264.mov none.mov --range 10-
1|h264.mov: no frame begins at or after 20 s and before 30 s; it lasts 10 s|h264.mov none.mov --range 20-30
1|h264.mov: no frame begins at or after 1.01 s and before 1.03 s; it lasts 10 s|h264.mov none.mov --range 1.01-1.03
1|no frame begins at or after 12 s; it lasts 10 s|h264.mov none.mov --range 12- --fps 5
1|f_%03d.png: no frame begins at or after 3 s; it lasts 3 s|pictures/f_%03d.png none.mov --range 3- --fps 10
1|no frame begins at or after 1 s|pictures/f_001.png none.mov --range 1-2
2|--range 5-5: a range such as 10-20, 1:30-2:00.5, 10- or -20 is wanted|h264.mov none.mov --range 5-5
LINES
expect_no none.mov
echo passed
