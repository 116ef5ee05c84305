#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir record of programs that close descriptors which they do not know, and in which signals come at any time: they end as
# without it, and nothing of theirs is touched. So it is where WEIR_RECORD=1 finds a weir that hangs or comes to nothing.
# Recorders that do what is not allowed, or nothing, do not end a program, or keep it from its end.
# bash disturbed.sh WEIR FOLDER PRESENT NUMBERS BUILD
here=$(cd "$(dirname "$0")" && pwd)
source "$here/headless_common.sh"
others=()
ends() { timeout --signal KILL 200 "$@" >log.txt 2>&1 || fail "status $? of $*: $(cat log.txt)"; }
expect_log() { [ "$(cat log.txt)" = "$1" ] || fail "it says: $(cat log.txt)"; }
# Mesa compiles the kernel now: it writes its cache at any time, and closes descriptors that a program has by then.
ends "$program" record --quiet --codec hap --output first.mov -- "${plain[@]}" --frames 1

# The numbers are closed, or are files or sockets of the program by then: it goes on unrecorded.
for closes in all file socket; do
    for policy in drop wait; do
        ends "$program" record --quiet --policy $policy --codec hap --output $closes.$policy.mov -- "${plain[@]}" --frames 30 --fps 30 --close $closes
        [ $policy = wait ] || sed -i '/warning: .*dropped/d' log.txt # which a busy machine may say
        expect_log "weir: the program closed the connection to the recorder; the program goes on unrecorded"
    done
    [ "$("$numbers" $closes.wait.mov | awk '$1 == NR - 1' | wc -l)" = 10 ] || fail "$closes: $("$numbers" $closes.wait.mov)"
done
# Where standard error is a file of the program by then, that line goes nowhere.
ends "$program" record --quiet --policy wait --codec hap --output error.mov -- "${plain[@]}" --frames 30 --close error
expect_log ""

for signals in restart interrupt; do
    ends "$program" record --quiet --policy wait --codec hap --output $signals.mov -- "${plain[@]}" --frames 40 --signals $signals
    expect_log ""
    expect_frames $signals.mov 40
done

wait_for_others() {
    for process in "${others[@]}"; do
        wait "$process"
    done
    others=()
}
for deed in silent garbage mute unsealed lies floods stands; do
    for policy in drop wait; do
        (
            part $deed.$policy
            python3 "$here/false_recorder.py" socket $policy $deed 2>/dev/null &
            disown
            until_true test -e socket
            WEIR_RECORD_SOCKET=socket ends "${plain[@]}" --frames 40 --fps 100
            kill -KILL $! 2>/dev/null || true
        ) &
        others+=($!)
    done
done
wait_for_others

# WEIR_RECORD=1 finds this script as weir.
export PATH=$PWD/bin:$PATH WEIR_RECORD=1 WEIR_RECORD_OPTIONS="--quiet --policy wait --codec hap --output $PWD/started.mov"
stand_in() { mkdir -p bin && printf '#!/bin/sh\n%s\n' "$1" >bin/weir && chmod +x bin/weir; }
for signals in restart interrupt; do
    stand_in "sleep 0.3; exec $program \"\$@\""
    ends "${plain[@]}" --frames 20 --signals $signals
    expect_log ""
    until_true test -e started.mov
    expect_frames started.mov 20
    mv started.mov started_$signals.mov
done
# Nobody reads what it says, or can.
stand_in "exit 1"
mkfifo full
exec 5<>full
dd if=/dev/zero bs=64k count=1 of=full oflag=nonblock conv=notrunc 2>/dev/null || fail "no full pipe"
timeout --signal KILL 200 "${plain[@]}" --frames 5 2>full || fail "status $? where standard error is full"
(sleep 0.5 && exec "${plain[@]}" --frames 5) 2>&1 >/dev/null | true
[ "${PIPESTATUS[0]}" = 0 ] || fail "status ${PIPESTATUS[0]} where standard error is broken"

# Nothing that was started is left, but for a recorder that said its socket.
long="sleep 9$$"
scripts=("$long" "exec $long" "trap '' TERM; exec >/dev/null; $long" "echo text without an end; exit 1" "echo; $long & wait"
    "echo /nowhere; exec $long")
for i in "${!scripts[@]}"; do
    (
        part hang$i
        export PATH=$PWD/bin:$PATH
        stand_in "${scripts[i]}"
        ends "${plain[@]}" --frames 20
        grep -qx "weir: cannot start 'weir record --serve': it did not report its socket; nothing is recorded\|weir: cannot reach the recorder at .*: No such file or directory; nothing is recorded" log.txt &&
            [ "$(wc -l <log.txt)" = 1 ] || fail "${scripts[i]}: $(cat log.txt)"
    ) &
    others+=($!)
done
wait_for_others
! pgrep -f "$long" || fail "a process is left"
[ ! -e started.mov ] || fail "it is recorded"
echo passed
