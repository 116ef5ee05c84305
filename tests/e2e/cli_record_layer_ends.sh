#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_layer_ends.sh WEIR FOLDER PRESENT NUMBERS: programs that end in every way leave a movie that is closed and whole, and
# recorders that are killed, stand still or find the disk full leave the program running.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"
ulimit -c 0

# expect_up_to NAME MOST: frames and drops are all from 0 on, and at most so many of those that were presented are missing at
# the end.
expect_up_to() {
    local last num presented
    expect_closed "$1.mov"
    read_movies "$1.mov"
    read_drops "$1.mov.json" | cut -d ' ' -f 1 | sort -n - <(cut -d ' ' -f 1 movie.txt) >found.txt
    num=$(wc -l <found.txt) last=$(tail -n 1 found.txt) presented=$(wc -l <"$1.log")
    diff found.txt <(seq 0 "$last") >numbers.diff || fail "$1: frames and drops are not all: $(head -n 5 numbers.diff)"
    [ $((presented - num)) -le "$2" ] || fail "$1: $num frames and drops of $presented"
    echo "$1: $num of $presented frames"
}

# However a program ends, the recorder has what it presented, and its status.
for end in exit:0 abort:134 segv:139 kill:137 exec:0 leak:0; do
    record_status "${end#*:}" "wait_${end%:*}" --policy wait -- --frames 60 --end "${end%:*}"
    expect_all "wait_${end%:*}" 60
    record_status "${end#*:}" "drop_${end%:*}" --policy drop --slots 8 --sidecar -- --frames 60 --fps 60 --end "${end%:*}"
    # A program that exits without a word leaves time for what is on its way: frames of half a second on a busy machine.
    case $end in exit:* | leak:*) expect_up_to "drop_${end%:*}" 0 ;; *) expect_up_to "drop_${end%:*}" 30 ;; esac
done

# One that presents nothing at its end: its last frame is shown until then.
for end in exit:0 leak:0 kill:137; do
    name=idle_${end%:*}
    record_status "${end#*:}" $name --policy wait -- --frames 20 --idle 1000 --end "${end%:*}"
    expect_all $name 20
    length=$(ffprobe -v error -select_streams v -show_entries stream=duration -of csv=p=0 $name.mov)
    awk -v length_s="$length" 'NR == 1 { first = $2 } END { exit !(length_s > ($2 - first) / 1e9 + 0.999) }' $name.log ||
        fail "$name: its movie lasts $length s: $(cat $name.log)"
done

# A program whose status is known where its recorder is gone.
cat >program <<PROGRAM
#!/bin/sh
"$present" "\$@"
echo \$? >ended.txt
PROGRAM
chmod +x program
present=$PWD/program

# The recorder is killed: the program presents all its frames, and says so in a line.
for policy in wait drop; do
    name=killed_$policy
    rm -f ended.txt
    start_record $name --policy $policy -- --frames 200 --fps 100
    until_true has_frames 50
    disown "$recorder" # bash would tell of its end
    kill -KILL "$recorder"
    app=
    until_true test -s ended.txt
    [ "$(cat ended.txt)" = 0 ] || fail "$name: the program ended with $(cat ended.txt): $(cat $name.txt)"
    [ "$(wc -l <$name.log)" = 200 ] || fail "$name: the program presented $(wc -l <$name.log) frames"
    # Under drop it may have been behind before.
    [ "$(grep -v "^weir: warning: frame .* was dropped: every slot is in use" $name.txt)" = \
        "weir: the recorder is gone; the program goes on unrecorded" ] || fail "$name: $(cat $name.txt)"
    "$weir" recover $name.001.mov $name.mov --quiet
    read_movies $name.mov
    [ "$(wc -l <movie.txt)" -ge 50 ] || fail "$name: $(wc -l <movie.txt) frames were recovered"
    sort -nc movie.txt || fail "$name: frames are not in order"
    [ $policy = drop ] || { seq 0 $(($(wc -l <movie.txt) - 1)) >wanted.txt && expect_numbers wanted.txt 4; }
done

# The recorder stands still for three seconds. With drop the program goes on as fast as before; with wait it waits for a
# second, and goes on then; so it does for the memory of a window of another size, which is recorded again afterwards. All at once.
start_still() { # NAME POLICY [PRESENT OPTION...]
    start_record still_"$1" --policy "$2" --slots 8 --sidecar -- --frames 350 --fps 50 "${@:3}"
    others+=("$recorder")
}
start_still drop drop
start_still wait wait
start_still resized drop --resize-each 10
stopped=("${others[@]}")
"$present" --frames 350 --fps 50 --present-log free.log &
others+=($!)
for recorder in "${stopped[@]}"; do
    until_true has_frames 25
done
until_true has_lines free.log 25
before=$(wc -l <still_drop.log) before_free=$(wc -l <free.log)
kill -STOP "${stopped[@]}"
sleep 3
presented=$(($(wc -l <still_drop.log) - before)) presented_free=$(($(wc -l <free.log) - before_free))
kill -CONT "${stopped[@]}"
for recorder in "${stopped[@]}"; do
    finish 0
done
wait "${others[-1]}"
others=()
longest() { awk 'NR > 1 { step = $2 - last; longest = step > longest ? step : longest } { last = $2 } END { print int(longest / 1e6) }' "$1"; }
waits() { awk 'NR > 1 && $2 - last > 9e8 { num++ } { last = $2 } END { print num + 0 }' "$1"; }
echo "a recorder that stands still: $presented frames in 3 s with drop, where a program that nobody records has $presented_free"
[ $((4 * presented)) -ge $((3 * presented_free)) ] || fail "with drop the program is slower"
for name in still_drop still_wait still_resized; do
    echo "$name: the longest wait was $(longest $name.log) ms"
    [ "$(wc -l <$name.log)" = 350 ] || fail "the program presented $(wc -l <$name.log) frames"
    [ $name = still_drop ] || [ "$(longest $name.log)" -ge 900 ] || fail "$name: the program did not wait"
    [ "$(longest $name.log)" -le 2500 ] && [ "$(waits $name.log)" -le 1 ] ||
        fail "$name: the program waited $(waits $name.log) times, up to $(longest $name.log) ms"
done
expect_up_to still_drop 0
expect_up_to still_wait 0
read_movies still_resized.0*.mov
sort -nc movie.txt || fail "still_resized: frames are not in order"
[ "$(tail -n 1 movie.txt | cut -d ' ' -f 1)" -gt 335 ] || fail "still_resized ends with frame $(tail -n 1 movie.txt)"

# The disk is full: the movie is whole so far, and the program goes on.
for policy in drop wait; do
    name=full_$policy
    rm -f ended.txt
    status=0
    limited 2000 "$program" record --quiet --effort fast --policy $policy --output $name.mov -- "$present" --frames 100 --present-log $name.log >$name.txt 2>&1 || status=$?
    [ $status = 1 ] || fail "the recorder ended with $status where the disk is full: $(cat $name.txt)"
    [ "$(cat ended.txt)" = 0 ] && [ "$(wc -l <$name.log)" = 100 ] || fail "the program ended where the disk is full: $(cat $name.txt)"
    grep -q "^weir: error: .*$name.*No space left on device" $name.txt || fail "$name: $(cat $name.txt)"
    # What was on its way then is told as dropped.
    [ "$(grep -vc " dropped .*, writing failed$\| was dropped: writing failed$" $name.txt)" = 1 ] || fail "$name: $(cat $name.txt)"
    read_movies "$(ls $name*.mov)"
    [ "$(wc -l <movie.txt)" -ge 10 ] || fail "$name: $(wc -l <movie.txt) frames"
    sort -nc movie.txt || fail "$name: frames are not in order"
    echo "$name: $(wc -l <movie.txt) frames"
done
echo passed
