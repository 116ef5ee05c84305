#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_unusual.sh WEIR FOLDER PRESENT NUMBERS BUILD: programs that do what few do: they forbid themselves system calls,
# call exit() in a signal handler within a present, present from threads, to 64 windows, on two devices, with extensions of
# presents. Each ends with its own status in time; what the recorder has is right, and what it has not is said in one line.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"
build=$5
ulimit -c 0
cat >program <<PROGRAM
#!/bin/sh
name=\$1
shift
timeout --signal KILL \${LIMIT:-200} "\$@"
status=\$?
echo \$status >\$name.status
exit \$status
PROGRAM
chmod +x program

# try NAME STATUS OWN MOVIES FRAMES WORDS PROGRAM...: the recorder ends with that status, and the program with its own. So many
# movies have so many frames, "5-9" or "10", numbered from 0 on. All that is said is that basic regex; lines end in ";".
try() {
    local name=$1 wanted=$2 own=$3 movies=$4 frames=$5 words=$6 status=0 said is movie
    shift 6
    timeout 250 "$weir" record --quiet --effort fast --codec hap --policy wait --slots 12 --sync 0 --output "$name.mov" -- ./program "$name" "$@" >"$name.txt" 2>&1 || status=$?
    is=$(cat "$name.status")
    if [ "$is" = 77 ]; then
        echo "$name: not tried here, $(head -n 1 "$name.txt")"
        return
    fi
    said=$(tr '\n' ';' <"$name.txt")
    [ "$is" = "$own" ] || fail "$name: the program ended with $is instead of $own: $said"
    [ "$status" = "$wanted" ] || fail "$name: the recorder ended with $status instead of $wanted: $said"
    grep -qx -- "$words" <<<"$said" || fail "$name: $said"
    is=0
    for movie in "$name.mov" "$name"-[0-9]*.mov; do
        [ -e "$movie" ] || continue
        is=$((is + 1))
        "$read_numbers" "$movie" >movie.txt 2>/dev/null || fail "$movie is not read"
        awk -v least="${frames%-*}" -v most="${frames#*-}" '$1 != NR - 1 { exit 1 } END { if (NR < least || NR > most) exit 1 }' movie.txt ||
            fail "$movie has the frames $(cut -d ' ' -f 1 movie.txt | xargs)"
    done
    [ $is = "$movies" ] || fail "$name: $is movies instead of $movies: $said"
    echo "$name: $movies movies"
}
ten=("$present" --frames 10)

# Threads, windows, devices.
# The validation layer 1.4.309 has hazards of presents from threads that share a queue, where nobody records too.
try threads 0 0 4 10 "" "${ten[@]}" --threads 4
try second_queue 0 0 1 10 "" "${ten[@]}" --second-queue
try threads_windows 0 0 6 10 "" "${ten[@]}" --threads 3 --windows 2 --resize-each 100
try devices 0 0 3 10 "" "${ten[@]}" --threads 3 --own-devices --validate
try windows 0 0 64 3 "" "$present" --frames 3 --windows 64 --size 64x88
refused="weir: warning: e2e_present ([0-9]*): a window of [0-9x]* is not recorded: its program shows too many windows at a time;"
try too_many 0 0 64 3 "$refused$refused" "$present" --frames 3 --windows 33 --threads 2 --size 64x88
try waits 0 0 1 10 "" "${ten[@]}" --waits 100 --validate
try extensions 0 0 2 10 "" "${ten[@]}" --windows 2 --extensions --validate --api 1.1
headless=(env VK_LAYER_PATH="$build/layer:$build/layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in
    "${ten[@]}" --windows 2 --headless)
try present_wait 0 0 2 10 "" "${headless[@]}" --extensions --api 1.1
try shared_call 0 0 2 10 "" "${headless[@]}" --shared-call

# System calls are forbidden behind vkCreateDevice, before the first present or between two, or before vkCreateDevice: what
# might end the program is not tried.
lost="weir: warning: e2e_present ([0-9]*): it has filtered its system calls (seccomp) and goes on unrecorded;"
nothing="weir: error: nothing was recorded: .*;"
for filter in errno trap kill; do
    forbidden=(many prctl)
    [ $filter != kill ] || forbidden+=(fstat write) # where one that is tried ends the program
    for forbid in "${forbidden[@]}"; do
        filtered=("${ten[@]}" --idle 300 --filter $filter --forbid $forbid)
        # A thread of the driver that begins late is ended where it names itself, and the program with it, though seldom.
        (try ${filter}_$forbid 1 0 0 0 "$lost$nothing" "${filtered[@]}") || { [ "$(cat ${filter}_$forbid.status)" = 159 ] &&
            try ${filter}_$forbid 1 0 0 0 "$lost$nothing" "${filtered[@]}"; } || fail "${filter}_$forbid"
        try ${filter}_${forbid}_later 0 0 1 4-5 "$lost" "${filtered[@]}" --filter-at 4
        if "${filtered[@]}" --filter-early >early.txt 2>&1; then # the driver does not need what is forbidden
            try ${filter}_${forbid}_early 1 0 0 0 "$nothing" "${filtered[@]}" --filter-early
        fi
    done
done

# The driver needs the last descriptor for a swapchain, and has it.
few=(sh -c 'ulimit -n 40 && exec "$@"' sh "${headless[@]}" --shared-call --files)
last=3
until "${few[@]}" $last >few.txt 2>&1; do
    last=$((last + 1))
    [ $last -lt 40 ] || fail "no swapchain with $last descriptors: $(cat few.txt)"
done
try last_file 1 0 0 0 "weir: it has too few descriptors left (ulimit -n); the program goes on unrecorded;$nothing" "${few[@]}" $last
try no_file 1 0 0 0 "weir: cannot reach the recorder at [^;]*: Too many open files; nothing is recorded;$nothing" sh -c "ulimit -n $last && exec \"\$@\"" sh "${headless[@]}"

# Windows in a row, each of which is gone when the next one comes: their numbers are given back.
"$weir" record --quiet --codec hap --policy wait --sync 0 --output row.mov -- "${present%/*}/e2e_fake_layer" --frames 270 --new-each 1 --fast 1 >row.txt 2>&1 ||
    fail "windows in a row: $(cat row.txt)"
movies=(row*.mov)
[ ${#movies[@]} = 270 ] && [ "$(cat row.txt)" = "presented 270, sent 270, lost 0" ] || fail "${#movies[@]} windows in a row: $(cat row.txt)"
rm "${movies[@]}"

# exit() at each place where a present holds a mutex of the layer, and in its waits.
for unlock in 1 2 3 4 5 6 7 8; do
    try unlock_$unlock 3 3 1 5-9 "" "${ten[@]}" --exit-at-unlock $unlock
done
for us in 1 2000 10000 15000; do
    # A program that is late presents the rest at once, and is idle then. The C library or the driver may hold a lock of its
    # own, for which exit() waits for ever, though seldom.
    for attempt in 1 2 3; do
        (LIMIT=60 try after_$us 3 3 1 15-30 "" "$present" --frames 30 --exit-after $us --fps 100 --idle 500) && break
        [ $attempt -lt 3 ] && [ "$(cat after_$us.status)" = 137 ] || exit 1
        rm -f after_$us*.mov
    done
done
echo passed
