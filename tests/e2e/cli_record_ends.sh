#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_ends.sh WEIR FOLDER FAKE: how recordings end: programs and recorders that are killed, disks that are full, and
# what is said where nothing was recorded.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/record_common.sh"
hold ffprobe ffmpeg

# A program that crashes leaves a movie that is closed and has all that it presented.
for signal in 9 11; do
    record_status $((128 + signal)) --output killed$signal.mov -- "$fake" --frames 40 --kill $signal
    expect_numbers killed$signal.mov 0 19
    ffprobe -v error -show_entries format=duration killed$signal.mov >/dev/null || fail "killed$signal.mov is not closed"
done

deaf() {
    timeout -k 1 200 env --ignore-signal=CHLD "$program" "$@"
}

# A recorder that stands still costs frames, and one that is killed the rest of them: the program goes on.
start --policy drop --output stopped.mov -- "$fake" --until stopped.txt
until_true test -s stopped.001.mov
kill -STOP "$recorder"
until_true grep -q "^a frame is lost" stdout.txt
kill -CONT "$recorder"
touch stopped.txt
finish 0
grep -q '^presented \([0-9]*\), sent \1, lost [1-9]' stdout.txt || fail "of a recorder that stood still the program says $(cat stdout.txt)"
expect_said "stopped.mov: .* dropped"
expect_decodes stopped.mov
start --output dead.mov -- "$fake" --until dead.txt
until_true test -s dead.001.mov
kill -KILL "$recorder"
wait "$recorder" || true
until_true grep -q "^a frame is not recorded" stdout.txt
touch dead.txt
until_true grep -q "^presented .*, alone" stdout.txt
"$program" recover dead.001.mov dead.mov --quiet
expect_decodes dead.mov

# What it leaves behind goes with the next one.
[ -n "$(ls "$XDG_RUNTIME_DIR")" ] || fail "a recorder that was killed leaves nothing, and this test is for nothing"
record --output next.mov -- "$fake" --frames 3
[ -z "$(ls "$XDG_RUNTIME_DIR")" ] || fail "there is still $(ls "$XDG_RUNTIME_DIR")"

# A disk that is full: the movie is whole so far, and the program goes on.
if [ -e "$(dirname "$program")/../lib/libe2e_disk_faults.so" ]; then
    : >stdout.txt
    limited 300 "$weir" record --codec hap --output full.mov -- "$fake" --until full.txt --size 320x240 >stdout.txt 2>stderr.txt &
    recorder=$!
    until_true grep -q "^a frame is not recorded" stdout.txt # the program does not go on to send
    touch full.txt
    finish 1
    expect_said "full"
    grep -q "^presented .*, lost [0-9]*$" stdout.txt || fail "a full disk ends the connection: $(cat stdout.txt)"
    expect_decodes full.mov
fi

# Signals: the recording ends, the program is told too, and the movie is there.
start --output term.mov -- "$fake" --frames 6000
until_true test -s term.001.mov
kill -TERM "$recorder"
finish 143
expect_decodes term.mov

# A program that does not end by it goes on: the second signal ends the recorder alone.
start --output twice.mov -- sh -c "trap 'echo told' TERM; \"$fake\" --until told.txt; until [ -e ended.txt ]; do sleep 0.1; done; touch went_on"
until_true test -s twice.001.mov
kill -TERM "$recorder"
until_true test -s twice.mov
expect_decodes twice.mov
touch told.txt
until_true grep -q "^told" stdout.txt
kill -TERM "$recorder"
finish 143
expect_no went_on
touch ended.txt
until_true test -e went_on

# Ctrl-C in a terminal: it tells both, so that the recorder does not tell the program again. The line is drawn and erased.
if command -v python3 >/dev/null; then
    cat >program.sh <<PROGRAM
trap 'echo interrupted' INT
"$fake" --frames 6000
sleep 0.3
exit 5
PROGRAM
    python3 - terminal.001.mov "$weir" record --codec hap --effort fast --policy wait --output terminal.mov -- sh program.sh >terminal.txt <<'PROGRAM' || fail "in a terminal: $(cat terminal.txt)"
import os, pty, signal, sys, time
process, terminal = pty.fork()
if process == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[2], sys.argv[2:])
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
text = b""
while b"\x1b[Krecording: " not in text: # the line is drawn once a second
    text += os.read(terminal, 4096)
os.write(terminal, b"\x03")
try:
    while part := os.read(terminal, 4096):
        text += part
except OSError: # the other end is closed
    pass
status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
print(status, repr(text))
assert status == 5
assert text.count(b"interrupted") == 1
assert b"\x1b[Kterminal.mov: " in text and b"\\x" not in text
PROGRAM
    expect_decodes terminal.mov
fi

# A program that has ended leaves children, whose window is recorded.
record --output child.mov -- "$fake" --child 20
expect_numbers child.mov 0 19

# Another program replaces what is being written: that is kept beside it, and later segments are written.
for options in "" "--segment 0.5"; do
    rm -f replaced.* other ended.txt
    # shellcheck disable=SC2086
    start --output replaced.mov $options -- "$fake" --until ended.txt
    until_true test -s replaced.001.mov
    echo other >other
    mv other replaced.001.mov
    [ -n "$options" ] && until_true test -s replaced.003.mov || sleep 0.5
    touch ended.txt
    finish 1
    expect_said "replaced.001.mov' while it was written; that file is kept, and the written one is '.*replaced.001.1.mov'"
    [ "$(cat replaced.001.mov)" = other ] || fail "what another program wrote is gone"
    expect_no replaced.mov
    expect_decodes replaced.001.1.mov
    [ -z "$options" ] || expect_decodes replaced.003.mov
done

# Whoever starts the recorder may ignore processes that end: it is told of them all the same.
if env --ignore-signal=CHLD true 2>/dev/null; then
    weir=deaf record_status 1 -- sh -c 'exit 3'
    expect_said "nothing was recorded: sh made no Vulkan device"
fi

# Windows that cannot be recorded, and why nothing was.
record_status 1 -- "$fake" --format 37 --color-space 1000104008 --frames 3
expect_said "a window of 64x48 is not recorded: its colours are HDR10"
expect_said "error: nothing was recorded: the lines above say why"
record_status 1 -- "$fake" --format 124 --frames 3
expect_said "no encoder reads images of its format"
record_status 1 --codec hap_hdr -- "$fake" --frames 3
expect_said "hap_hdr takes linear light in half floats only"
DISPLAY=:0 record_status 1 -- "$fake" --without link
expect_said "nothing was recorded: .*e2e_fake_layer made no Vulkan device.*--gl"
(unset DISPLAY WAYLAND_DISPLAY; record_status 1 -- "$fake" --without link)
expect_said "made no Vulkan device.* neither DISPLAY nor WAYLAND_DISPLAY is set"
record_status 1 --gl -- "$fake" --without link
expect_said "made no Vulkan device; Mesa's zink is not here, or found none"
record_status 1 -- "$fake" --without window
expect_said "made a Vulkan device, and no window"
record_status 1 --paused -- "$fake" --frames 5
expect_said "ended before the recording had begun; with --paused, --ctl start begins it"
record_status 1 --after 60 -- "$fake" --frames 5
expect_said "ended before the recording had begun$"
record_status 1 -- "$fake" --frames 0
expect_said "presented no frame"
record_status 1 -- ./no_such_program
expect_said "no_such_program cannot be started: No such file"
record_status 1 -- "$folder"
expect_said "cannot be started: Permission denied"
expect_no ./*no_such*.mov

# The command line.
expect_status 2 "name the program" "$weir" record
expect_status 2 "its name ends in .mov" "$weir" record --output take.mp4 -- "$fake"
expect_status 2 "it goes with --fps" "$weir" record --constant-rate -- "$fake"
expect_status 2 "this codec does not have it" "$weir" record --steady --codec hap_r -- "$fake"
expect_status 2 "leave out one" "$weir" record --segment 3 --segment-size 1G -- "$fake"
expect_status 1 "nothing can be written to the folder nowhere/: No such file" "$weir" record --output nowhere/take.mov -- "$fake"

# Without the layer.
mkdir -p bare/bin
cp "$program" bare/bin/weir
expect_status 1 "VkLayer_WEIR_capture.json is not in .*: install" bare/bin/weir record -- "$fake"

# What programs get: the layer appended to what was there, and nothing of the recorder's own signals.
VK_INSTANCE_LAYERS=one VK_LAYER_PATH=/two "$weir" record -- env >environment.txt 2>/dev/null || true
folder_of_layer=$PWD/prefix/share/vulkan/explicit_layer.d
for line in VK_INSTANCE_LAYERS=one:VK_LAYER_WEIR_capture "VK_LAYER_PATH=/two:$folder_of_layer" "VK_ADD_LAYER_PATH=$folder_of_layer"; do
    grep -qxF "$line" environment.txt || fail "the program does not get $line: $(grep VK_ environment.txt)"
done
! grep -q "^VK_LAYER_PATH" <("$weir" record -- env 2>/dev/null) || fail "VK_LAYER_PATH is set where it was not"
"$weir" record --gl -- env >environment.txt 2>/dev/null || true
grep -qx "MESA_LOADER_DRIVER_OVERRIDE=zink" environment.txt || fail "--gl does not choose zink"
"$weir" record -- grep -E "^Sig(Blk|Ign)" /proc/self/status >signals.txt 2>/dev/null || true
grep -E "^Sig(Blk|Ign)" /proc/self/status | cmp -s - signals.txt || fail "the program inherits signals: $(cat signals.txt)"
echo passed
