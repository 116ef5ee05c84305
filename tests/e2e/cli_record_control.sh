#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_control.sh WEIR FOLDER FAKE: weir record --ctl, and the signal USR1.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/record_common.sh"
hold ffprobe ffmpeg

# ctl VERB [ARGUMENT]: what the recorder answers is in answer.txt.
ctl() {
    "$weir" record --ctl "$@" >answer.txt 2>answer-error.txt || fail "--ctl $*: $(cat answer-error.txt)"
}

# refused WORDS VERB [ARGUMENT]
refused() {
    local words=$1
    shift
    expect_status 1 "$words" "$weir" record --ctl "$@"
}

has_frames() { # at least so many are written
    "$weir" record --ctl status --json >status.txt && [ "$(sed -n 's/.*"frames": \([0-9]*\).*/\1/p' status.txt | head -n 1)" -ge "$1" ]
}

refused "no recorder of yours runs; weir record -- PROGRAM starts one" status
expect_status 2 "only --ctl mark and --ctl replay take an argument" "$weir" record --ctl stop now
expect_status 2 "takes one argument at most" "$weir" record --ctl mark two words
expect_status 2 "name the movie to make" "$weir" record --ctl replay
expect_status 2 'unknown ctl "halt"; known: start, stop, pause, mark, replay, status' "$weir" record --ctl halt

# One recording with everything: it begins paused, has chapters, a pause and replays, and a second take.
start --paused --replay 2 --output take.mov -- "$fake" --until end
until_true "$weir" record --ctl status
ctl status
[ "$(cat answer.txt)" = waiting ] || fail "the state is $(cat answer.txt)"
refused "no movie is recorded" mark early
refused "nothing is recorded: begin it with --ctl start" replay early.mov
refused "nothing is recorded" pause
sleep 0.2
expect_no take.001.mov
ctl start
[ "$(cat answer.txt)" = recording ] || fail "start answers $(cat answer.txt)"
refused "it records already" start
until_true has_frames 10
ctl mark "a title"
[ "$(cat answer.txt)" = "marked: 1 movie" ] || fail "mark answers $(cat answer.txt)"
ctl mark
ctl status --json
judge answer.txt "$recorder" <<'PROGRAM'
import json, sys
facts = json.load(open(sys.argv[1]))
assert facts["process"] == int(sys.argv[2]) and facts["state"] == "recording", facts
assert [m["path"] for m in facts["movies"]] == ["take.mov"] and facts["movies"][0]["frames"] >= 10, facts
PROGRAM
ctl replay last.mov
until_true test -s last.mov
expect_decodes last.mov
(mkdir other && cd other && until_true "$weir" record --ctl replay last.mov && until_true test -s last.mov)
until_true "$weir" record --ctl replay last.mov # which is there already
until_true test -s last-2.mov
ctl pause
refused "nothing is recorded" pause
frames_now() { "$weir" record --ctl status --json | grep -o '"frames": [0-9]*'; }
stands() { # those that were on their way are written by now
    local before
    before=$(frames_now)
    sleep 0.8
    [ "$(frames_now)" = "$before" ]
}
until_true stands
ctl start
until_true has_frames 40
ctl stop
[ "$(cat answer.txt)" = "stopped, and the movies are closed" ] || fail "stop answers $(cat answer.txt)"
expect_decodes take.mov
[ "$(ffprobe -v error -show_entries chapter_tags=title -of csv=p=0 take.mov | xargs)" = "a title" ] ||
    fail "chapters: $(ffprobe -v error -show_entries chapter_tags=title -of csv=p=0 take.mov)"
read -ra found <<<"$(numbers take.mov)"
gap=0
for ((i = 1; i < ${#found[@]}; i++)); do
    step=$(((found[i] - found[i - 1] + 2048) % 2048))
    [ $step = 1 ] || { [ $gap = 0 ] || fail "two gaps in take.mov: ${found[*]}"; gap=$step; }
done
[ "$gap" -ge 10 ] || fail "the pause of 0.8 s left out $gap frames"
seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 take.mov)
awk -v s="$seconds" -v n=${#found[@]} 'BEGIN { exit !(s < n / 60 + 0.4) }' || fail "the pause is in the movie: $seconds s of ${#found[@]} frames"

# Another take, by the signal.
refused "nothing is recorded" stop
kill -USR1 "$recorder"
until_true test -s take-2.001.mov
kill -USR1 "$recorder"
until_true "$weir" record --ctl start
grep -qx recording <<<"$("$weir" record --ctl status)" || fail "after USR1 the state is $("$weir" record --ctl status)"

# The newest recorder is asked, or that of a process.
first=$recorder
cp stderr.txt first.txt
"$weir" record --codec hap --effort fast --policy wait --output second.mov -- "$fake" --until end >/dev/null 2>second.txt &
second=$!
until_true "$weir" record --ctl status --ctl-pid $second
until_true test -s second.001.mov
grep -q "^second.mov: " <<<"$("$weir" record --ctl status)" || fail "the newest says $("$weir" record --ctl status)"
grep -q "^take-2.mov: " <<<"$("$weir" record --ctl status --ctl-pid "$first")" || fail "the first says $("$weir" record --ctl status --ctl-pid "$first")"
refused "no recorder of yours runs in that process" status --ctl-pid $$
ctl stop
expect_decodes second.mov
ctl start
until_true test -s second-2.001.mov
kill -TERM $second "$first"
wait $second || true
finish 143
expect_decodes take-2.mov
expect_decodes second-2.mov

# Who connects and says nothing, or something else, disturbs nobody.
start --output calm.mov -- "$fake" --until calm.txt
until_true test -s calm.001.mov
if command -v python3 >/dev/null; then
    python3 - "$XDG_RUNTIME_DIR"/weir-record-*/control <<'PROGRAM'
import socket, sys
silent = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for i in range(20)]
for s in silent:
    s.connect(sys.argv[1])
for text in [b"", b"dance", b"mark " + b"x" * 100000, b"\0\n\xff", b"mark \xff", b"replay /nowhere/at/all.mov"]:
    other = silent.pop()
    try:
        other.send(text)
    except OSError:
        pass
PROGRAM
fi
sleep 0.5
touch calm.txt
finish 0
grep -q "^presented $(field calm.mov nb_read_frames), " stdout.txt || fail "calm.mov has $(field calm.mov nb_read_frames) frames: $(cat stdout.txt)"
echo passed
