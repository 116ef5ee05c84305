#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Movies with sound whose recorder is killed: at its writes, and when it has written so many bytes, also inside close. What
# is recovered is the beginning of the movie: its frames with their times, and samples of both tracks, judged by ffprobe,
# ffmpeg and mpv. A sample is made; WEIR_RECOVER_WRITES=all WEIR_RECOVER_BYTES=300 makes all of it.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
RANDOM=$seed
num_writes=${WEIR_RECOVER_WRITES:-4} num_bytes=${WEIR_RECOVER_BYTES:-4}

# 200 frames at times that vary, and two tracks.
ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=32x16:r=50:d=4,setpts=N/50/TB+mod(N\,3)*0.006/TB" \
    -f lavfi -i "sine=f=300:r=8000:d=4" -f lavfi -i "sine=f=700:r=11025:d=4" -map 0 -map 1 -map 2 -metadata:s:a:1 language=fra \
    -c:v ffv1 -pix_fmt bgr0 -fps_mode vfr -c:a pcm_s24le source.mkv

sound() { ffmpeg -nostdin -v error -xerror -i "$1" -map "0:a:$2?" -c copy -f data - 2>/dev/null || true; }

# record N [NAME=VALUE]: killed at that write, or otherwise, or not.
record() {
    rm -f killed.mov .weir-*
    killed_at "$1" env "${@:2}" "$program" transcode source.mkv killed.mov --quiet
}

record 0 || fail "not recorded: $(cat said.txt)"
read -r calls bytes <calls.txt
mv killed.mov whole.mov
packets whole.mov >whole.txt
for track in 0 1; do
    sound whole.mov $track >whole.$track
done
[ "$(wc -l <whole.txt)" = 200 ] || fail "the movie has $(wc -l <whole.txt) frames"

# expect_beginning MOVIE: of whole.mov. Adds to `frames` and `samples`.
expect_beginning() {
    local num track size
    packets "$1" >got.txt
    num=$(wc -l <got.txt)
    head -n "$num" whole.txt >want.txt
    cmp got.txt want.txt || fail "$1: $num frames are not the first ones"
    frames=$((frames + num))
    for track in 0 1; do
        sound "$1" $track >got.$track
        size=$(stat -c %s got.$track)
        cmp -n "$size" got.$track whole.$track || fail "$1: the samples of track $track are not the first ones"
        samples=$((samples + size / 3))
    done
}

# check WHAT: recovers killed.mov both ways, each once more.
check() {
    local what=$1 shown part
    if [ ! -e killed.mov ]; then # before the first frame there is no movie
        early=$((early + 1))
        return
    fi
    flock killed.mov true # the process that writes ends a moment later
    shown=$(ffprobe -v quiet -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 killed.mov) || shown=0
    rm -f new.mov
    "$weir" recover killed.mov new.mov >said.txt || fail "$what: $(cat said.txt)"
    "$weir" recover killed.mov --in-place >said.txt || fail "$what, in place: $(cat said.txt)"
    [ -e new.mov ] || cp killed.mov new.mov # it needed nothing
    expect_beginning new.mov
    for part in txt 0 1; do
        cp got.$part new.$part
    done
    [ "$(wc -l <new.txt)" -ge $((${shown:-0} - 1)) ] || fail "$what: $(wc -l <new.txt) frames of $shown that ffprobe sees"
    expect_beginning killed.mov
    for part in txt 0 1; do
        cmp got.$part new.$part || fail "$what: in place there are other frames or samples"
    done
    cp killed.mov once.mov
    "$weir" recover killed.mov --in-place >said.txt
    cmp killed.mov once.mov || fail "$what: the second time changed something"
    grep -q "it needs nothing" <<<"$("$weir" recover new.mov)" || fail "$what: the recovered movie is not plain"
}

# kill_at WHAT N [NAME=VALUE]: how sound is cut into writes differs a little from run to run, so that the last ones may not come.
kill_at() {
    local what=$1
    if record "${@:2}"; then
        missed=$((missed + 1))
    fi
    kills=$((kills + 1))
    check "$what"
}

frames=0 samples=0 early=0 kills=0 missed=0
if [ "$num_writes" = all ]; then
    mapfile -t writes < <(seq 1 "$calls")
else # the last ones are those of close
    mapfile -t writes < <(seq $((calls - 3)) "$calls")
    for ((i = 0; i < num_writes; i++)); do
        writes+=($((1 + $(below "$calls"))))
    done
fi
for at in "${writes[@]}"; do
    kill_at "killed at write $at of $calls" "$at"
done
for ((i = 0; i < num_bytes; i++)); do
    at=$(below "$bytes")
    kill_at "killed at byte $at of $bytes" 0 WEIR_KILL_AT_BYTE="$at"
done
[ $missed -lt $((kills / 2 + 1)) ] || fail "of $kills only $((kills - missed)) were killed"
echo "${#writes[@]} kills at writes of $calls, $num_bytes at bytes of $bytes, $early before the first frame, $missed that did not come;" \
    "$frames frames and $samples samples were compared"

[ ! -e new.mov ] || expect_plays new.mov
