#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_transcode_live.sh WEIR FOLDER: weir transcode to the standard output and to sockets, and the players that receive.
source "$(dirname "$0")/cli_common.sh"
hold weir ffprobe ffmpeg

make in.mkv testsrc2=size=64x48:rate=25 -f lavfi -i sine=440:sample_rate=48000 -t 2 -c:v ffv1 -c:a pcm_s16le
"$weir" transcode in.mkv in.mov --quiet
times() { probe "$1" packet=pts_time -select_streams v | tr -d ,; }
samples() { ffmpeg -nostdin -v error -i "$1" -f s16le -; }
frames() { packets "$1" | awk '$2 > 0 { print $2, $3 }'; } # AVI has empty ones between
# expect_same FILE: the frames of in.mov at their times, and its samples.
expect_same() {
    cmp <(frames in.mov) <(frames "$1") || fail "$1 has other frames"
    [[ $1 = *.avi ]] || cmp <(times in.mov) <(times "$1") || fail "$1 has other times"
    cmp <(samples in.mov) <(samples "$1") || fail "$1 has other samples"
}

for format in nut avi mov; do
    "$weir" transcode in.mkv --output - --format $format 2>stderr.txt | cat >out.$format || fail "$format: $(cat stderr.txt)"
    expect_same out.$format
    grep -q '^-: 50 frames, 64x48, .*; to pipe:[0-9]* [0-9]* packets, 0 dropped' stderr.txt || fail "$(cat stderr.txt)"
done
"$weir" transcode - - --json <in.mkv 2>stderr.txt | cat >out.nut || fail "$(cat stderr.txt)"
expect_same out.nut
sed -n '/^{/,$p' stderr.txt >report.json
expect_json report.json
status=0
"$weir" transcode in.mkv - 2>stderr.txt | head -c 5000 >/dev/null || status=$?
[ $status = 1 ] && grep -q 'cannot write to pipe:[0-9]*: Broken pipe' stderr.txt || fail "a closed pipe: $status: $(cat stderr.txt)"
! grep -q 'too slowly' stderr.txt || fail "nothing is slow: $(cat stderr.txt)"

# A receiver is waited for, and gets everything. SRT that streams a file loses nothing.
port=$((20000 + $$ % 12000)) # the system gives those from 32768 on to clients
addresses=("tcp://127.0.0.1:$port" "tcp://127.0.0.1:$port?listen")
! grep -qw srt <<<"$(ffmpeg -hide_banner -protocols 2>/dev/null)" ||
    addresses+=("srt://127.0.0.1:$port?transtype=file" "srt://127.0.0.1:$port?transtype=file&mode=listener")
for ((i = 0; i < ${#addresses[@]}; i += 2)); do
    begin "$weir" transcode in.mkv "${addresses[i + 1]}"
    until ffmpeg -nostdin -v error -i "${addresses[i]}" -c copy -y received.nut 2>/dev/null; do sleep 0.02; done
    expect_end 0 ' 0 dropped'
    expect_same received.nut
done
: >messages.txt # what is held ignores Ctrl-C
begin "$program" transcode in.mkv "tcp://127.0.0.1:$port?listen"
until_true grep -q smpte170m messages.txt
kill -s INT $app
expect_end 1 interrupted
"$weir" transcode in.mkv beside.mov --also "tcp://127.0.0.1:$port?listen" 2>stderr.txt || fail "$(cat stderr.txt)"
expect_packets beside.mov in.mov
grep -q '; to tcp:.* 0 packets, [0-9]* dropped' stderr.txt || fail "$(cat stderr.txt)"

# Players show each frame: mpv writes a picture of it, ffplay a line.
if command -v mpv >/dev/null; then
    "$weir" transcode in.mkv - --quiet | mpv --no-config --vo=image --ao=null --untimed - >mpv.txt 2>&1 || fail "$(cat mpv.txt)"
    [ "$(find . -name '000*.jpg' | wc -l)" = 50 ] || fail "mpv has other frames: $(ls)"
fi
if command -v ffplay >/dev/null; then
    begin "$weir" transcode in.mkv "tcp://127.0.0.1:$port?listen" --format matroska
    export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
    shown=0
    until [ "$shown" != 0 ]; do # it ends well also where nobody listens yet
        ffplay -hide_banner -autoexit -noframedrop -vf showinfo "tcp://127.0.0.1:$port" </dev/null >ffplay.txt 2>&1 || true
        shown=$(grep -c 'n: *[0-9]* pts:' ffplay.txt) || true
    done
    expect_end 0 ' 0 dropped'
    [ "$shown" = 50 ] || fail "ffplay has other frames: $(cat ffplay.txt)"
fi

expect_table transcode <<'TABLE'
1|cannot open tcp://127.0.0.1:1: Connection refused|in.mkv tcp://127.0.0.1:1
2|no muxer of the name 'nothing'|in.mkv --output - --format nothing
2|cannot open 'nothing://x'|in.mkv nothing://x
2|it goes with an address|in.mkv out.mov --format nut
2|no part, sidecar or time code|in.mkv - --sidecar
2|no part, sidecar or time code|in.mkv - --part 1/2
2|goes with one OUTPUT.mov|in.mkv . --also tcp://127.0.0.1:1
2|beside a movie|in.mkv - --also tcp://127.0.0.1:1
TABLE
echo passed
