# SPDX-License-Identifier: MIT
# What the tests of the samples share. Sourced: bash sample_x.sh SAMPLE FOLDER, where FOLDER is made anew.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.sh"
sample=$weir
# WEIR_SAMPLES=all: samples render at full size too, which takes the software device seconds a frame.
samples_all=
[ "${WEIR_SAMPLES:-}" != all ] || samples_all=yes

# numbers MOVIE WIDTH HEIGHT: the number that each decoded frame carries, a line a frame. The row of cells is
# that of samples/capture/main.c, read here on its own: 24 squares along the bottom edge, white, black,
# 20 bits from the lowest, black, white.
numbers() {
    local side=8 top
    [ "$3" -lt 1440 ] || side=$((8 * ($3 / 720)))
    top=$(($3 / 4 * 4 - side))
    ffmpeg -nostdin -v error -i "$1" -vsync passthrough -vf \
        "format=gbrp,extractplanes=g,crop=$((24 * side)):$side:0:$top,scale=24:1:flags=area,setpts=N/25/TB" \
        -pix_fmt gray -f rawvideo - | od -An -v -t u1 -w24 | awk '
        {
            clear = $1 > 127 && $2 <= 127 && $23 <= 127 && $24 > 127
            for (i = 1; i <= 24; ++i)
                if ($i > 20 && $i < 235) clear = 0
            number = 0
            for (i = 22; i >= 3; --i) number = 2 * number + ($i > 127)
            print clear ? number : "unreadable"
        }'
}

# expect_numbers MOVIE WIDTH HEIGHT FIRST LAST: every number between, in order, none missing.
expect_numbers() {
    numbers "$1" "$2" "$3" >numbers.txt
    diff numbers.txt <(seq "$4" "$5") >numbers.diff ||
        fail "$1: the frames do not read $4..$5 in order: $(head -n 5 numbers.diff)"
    printf '%s: frames %s..%s in order\n' "$1" "$4" "$5"
}

# expect_rising MOVIE WIDTH HEIGHT: numbers that only rise; prints how many.
expect_rising() {
    numbers "$1" "$2" "$3" >numbers.txt
    awk 'NR > 1 && $1 <= last || $1 == "unreadable" { exit 1 } { last = $1 }' numbers.txt ||
        fail "$1: the frames' numbers do not rise: $(tr '\n' ' ' <numbers.txt)"
    wc -l <numbers.txt
}

# count LOG NAME: "received", "written", "dropped" or "skipped" of the statistics that the sample prints of each recording,
# all together.
count() {
    sed -n "s/^frames .*$2 \([0-9]*\).*/\1/p" "$1" | awk '{ sum += $1 } END { if (NR) print sum }'
}

# expect_counts LOG: received = written + dropped + skipped.
expect_counts() {
    local received written dropped skipped
    received=$(count "$1" received) written=$(count "$1" written) dropped=$(count "$1" dropped)
    skipped=$(count "$1" skipped)
    [ -n "$received" ] && [ "$received" = $((written + dropped + skipped)) ] ||
        fail "received '$received', written '$written', dropped '$dropped', skipped '$skipped' do not add up"
}

# start_windowed NAME ARGUMENTS...: the sample in a window of that name, as `app` and `window`.
start_windowed() {
    local name=$1
    shift
    "$sample" "$@" >log.txt 2>&1 &
    app=$!
    until_true xdotool search --name "$name"
    window=$(xdotool search --name "$name" | head -n 1)
}

# close_windowed: Escape ends the sample, well and without a word of the validation layer.
close_windowed() {
    local status=0
    key Escape
    wait $app || status=$?
    app=
    cat log.txt
    [ $status = 0 ] || fail "the sample ended with $status"
    ! grep -qi validation log.txt || fail "the validation layer has spoken"
}

# end_windowed: the same, and its frames add up.
end_windowed() {
    close_windowed
    expect_counts log.txt
}

# expect_in_order MOVIE WIDTH HEIGHT...: all movies together carry every number once, as many as were written.
expect_in_order() {
    local total=0 frames
    while [ $# -gt 0 ]; do
        frames=$(field "$1" nb_read_frames)
        expect_movie "$1" "$2" "$3" "$frames"
        expect_numbers "$1" "$2" "$3" $total $((total + frames - 1))
        total=$((total + frames))
        shift 3
    done
    [ $total = "$(count log.txt written)" ] || fail "$total frames are there, and not those written"
}

# Of the window `window`.
title_has() { grep -q -- "$1" <<<"$(xdotool getwindowname "$window")"; }
key() { xdotool windowfocus --sync "$window" key "$@"; }

# start_display: an X server of its own, which ends with the test.
start_display() {
    local tool
    for tool in xdotool Xvfb; do
        command -v $tool >/dev/null || skip "no $tool here"
    done
    unset WAYLAND_DISPLAY
    app=
    # Without a client it would begin anew, and refuse the next one meanwhile.
    Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 3>display.txt >xvfb.txt 2>&1 &
    xvfb=$!
    trap 'kill $app $xvfb 2>/dev/null || true' EXIT
    until_true test -s display.txt
    DISPLAY=:$(cat display.txt)
    export DISPLAY
}

# run_sample LOG ARGUMENTS...: must succeed without a word of the validation layer.
run_sample() {
    local log=$1
    shift
    "$sample" "$@" >"$log" 2>&1 || fail "${sample##*/} $* failed: $(cat "$log")"
    ! grep -qi validation "$log" || fail "${sample##*/} $*: $(cat "$log")"
    cat "$log"
}

# render NAME ARGUMENTS...: NAME.png, of the first frame unless --frames says another one. What was said is in NAME.txt.
render() { run_sample "$1.txt" --headless --frames 1 --picture "$1.png" "${@:2}" >/dev/null; }

# expect_last MOVIE FRAME PICTURE BOUND: the frame of that number is the picture [dB].
expect_last() {
    ffmpeg -nostdin -v error -y -i "$1" -vf "select=eq(n\,$2)" -vsync passthrough -c:v ffv1 last.mkv
    expect_psnr last.mkv "$3" "$4"
}

# expect_passes LOG PASS...: the time of each; on a software device the reason why not.
expect_passes() {
    local pass
    grep -q "GPU time of each pass" "$1" || fail "no word of the passes' times"
    ! grep -q "no timestamps on a" "$1" || return 0
    for pass in "${@:2}"; do
        grep -q "$pass .* us" "$1" || fail "no time of the pass $pass"
    done
}

expect_help() {
    [[ $("$sample" --help) == *Example* ]] || fail "--help has no example"
    ! "$sample" --help | grep '.\{81\}' || fail "--help is wider than 80 columns"
}

# compare NAME VALUE OPERATOR BOUND
compare() {
    awk -v a="$2" -v b="$4" "BEGIN { exit !(a $3 b) }" || fail "$1 is $2 and should be $3 $4"
    printf '%s: %s (%s %s)\n' "$1" "$2" "$3" "$4"
}

# The picture of the minimal samples has a sun and a hill of one colour each, and moves by 4 texels a frame.

# color FILE FRAME X Y: the texel, "R G B".
color() {
    ffmpeg -nostdin -v error -i "$1" -vf "select=eq(n\,$2),format=gbrp,crop=1:1:$3:$4" -frames:v 1 \
        -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 | xargs
}

# expect_color FILE FRAME X Y R G B: to 4 codes, by which HAP Q may be off.
expect_color() {
    local is
    is=$(color "$1" "$2" "$3" "$4")
    awk -v a="$is" -v b="$5 $6 $7" 'BEGIN {
        n = split(a, x); split(b, y)
        for (i = 1; i <= 3; ++i) if (n != 3 || x[i] - y[i] > 4 || y[i] - x[i] > 4) exit 1
    }' || fail "$1, frame $2: $is at $3,$4 in place of $5 $6 $7"
}

# expect_pictures MOVIE WIDTH HEIGHT FRAMES: the sun and the near hill are where they should be in the first
# frame and in the last.
expect_pictures() {
    local frame
    expect_movie "$1" "$2" "$3" "$4"
    for frame in 0 $(($4 - 1)); do
        expect_color "$1" "$frame" $(((62 * $2 / 100 + ($2 - 4 % $2) * frame) % $2)) $(($3 / 2)) 255 240 190
        expect_color "$1" "$frame" $(($2 / 3)) $(($3 - 1)) 18 16 40
    done
}
