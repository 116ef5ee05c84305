#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_sound.sh WEIR FOLDER FAKE TONE: the sound of weir record, with a PipeWire of its own that has a sink and no
# session manager, and programs that play tones.
docs=$(cd "$(dirname "$0")" && pwd)
tone=$4
source "$docs/cli_common.sh"
source "$docs/record/record_common.sh"
hold ffprobe ffmpeg
unset PIPEWIRE_DEBUG PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR PIPEWIRE_CORE PIPEWIRE_LATENCY PIPEWIRE_QUANTUM PIPEWIRE_PROPS
for tool in pipewire pw-link python3; do
    command -v $tool >/dev/null || skip "no $tool here"
done

cat >pipewire.conf <<'CONFIG'
context.properties = { core.daemon = true core.name = pipewire-0 default.clock.rate = 48000 default.clock.quantum = 1024 support.dbus = false }
context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }
context.modules = [
    { name = libpipewire-module-protocol-native }
    { name = libpipewire-module-spa-node-factory }
    { name = libpipewire-module-client-node }
    { name = libpipewire-module-access }
    { name = libpipewire-module-adapter }
    { name = libpipewire-module-link-factory }
]
context.objects = [
    { factory = adapter args = { factory.name = support.null-audio-sink node.name = sink media.class = Audio/Sink
        audio.position = [ FL FR ] adapter.auto-port-config = { mode = dsp monitor = true position = preserve } } }
]
CONFIG
processes=()
end_all() {
    [ ${#processes[@]} = 0 ] || kill "${processes[@]}" 2>/dev/null || true
    [ "$XDG_RUNTIME_DIR" = "$folder/run" ] || rm -r "$XDG_RUNTIME_DIR"
}
folder=$PWD
trap end_all EXIT
pipewire -c "$folder/pipewire.conf" >pipewire.txt 2>&1 &
pipewire=$!
processes+=($pipewire)
until_true pw-link sink:monitor_FL sink:playback_FR
pw-link -d sink:monitor_FL sink:playback_FR

# What is recorded: a program that plays the tones of $TONES, NAME:SECONDS:CHANNELS each, and presents.
cat >program.sh <<'PROGRAM'
for tone in $TONES; do
    IFS=: read -r name seconds channels <<<"$tone"
    "$TONE" "$name" "$seconds" "$channels" >"$name.txt" &
    tones+=($!)
    from=("$name:output_FL" "$name:output_FR")
    [ "$channels" = 2 ] || from=("$name:output_MONO" "$name:output_MONO")
    until pw-link "${from[0]}" sink:playback_FL 2>/dev/null; do sleep 0.01; done
    pw-link "${from[1]}" sink:playback_FR
done
"$FAKE" "$@"
[ ${#tones[@]} = 0 ] || kill "${tones[@]}"
PROGRAM
export TONES="" TONE=$tone FAKE=$fake
cat >heard.py <<'JUDGE'
import array, math, sys
# When the sound begins on either side [s], then of the left and of the right how many times it crosses zero upwards in half
# a second, which is so long after that [s], and its level [dB].
samples = array.array("h", sys.stdin.buffer.read())
sides = samples[0::2], samples[1::2]
onset = next((i // 2 for i, v in enumerate(samples) if abs(v) > 3000), None)
if onset is None:
    print("nothing", max(map(abs, samples), default=0), len(sides[0]) / 48000)
    sys.exit()
text = "%.4f" % (onset / 48000)
for side in sides:
    begin = onset + int(48000 * float(sys.argv[1]))
    part = side[begin:begin + 24000]
    crossings = sum(a < 0 <= b for a, b in zip(part, part[1:]))
    text += " %d %.1f" % (crossings, 10 * math.log10(sum(v * v for v in part) / max(len(part), 1) / 32768 ** 2 + 1e-12))
print(text)
JUDGE

# heard MOVIE [SECONDS]: what its sound track holds, so long after its sound begins.
heard() {
    ffmpeg -nostdin -v error -i "$1" -map 0:a -f s16le - | python3 heard.py "${2:-0.6}"
}

# length MOVIE STREAM: in seconds.
length() {
    ffprobe -v error -select_streams "$2" -show_entries stream=duration -of csv=p=0 "$1"
}

# within A B MOST: they differ by that at most.
within() {
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a - b <= most && b - a <= most) }'
}

# expect_tone MOVIE CROSSINGS DB CROSSINGS DB: half a second of the left and the right side, one crossing off at most; the
# sound is as long as the frames.
expect_tone() {
    local onset found
    read -r onset found <<<"$(heard "$1")"
    read -ra facts <<<"$found"
    for i in 0 1 2 3; do
        within "${facts[$i]:-none}" "${*:$((i + 2)):1}" $((i % 2 == 0 ? 1 : 0)).2 || fail "$1 has $onset $found instead of ${*:2}"
    done
    within "$(length "$1" a)" "$(length "$1" v)" 0.1 || fail "$1 has $(length "$1" a) s of sound, $(length "$1" v) s of frames"
}

# What a program plays is in its movie, and where it belongs: the tone begins when the program said so. -9 dB is half of full
# scale.
TONES=own:0.5:2 record --output own.mov --sidecar -- bash program.sh --frames 120
expect_tone own.mov 220 -9.0 330 -9.0
[ "$(field own.mov nb_read_frames)" = 120 ] || fail "own.mov has $(field own.mov nb_read_frames) frames"
[ "$(ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 own.mov | tr '\n' ' ')" = "hap pcm_s16le,48000,2 " ] ||
    fail "own.mov has the tracks $(ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 own.mov)"
read -r onset found <<<"$(heard own.mov)"
first_ns=$(sed -n 's/.*"first_time_ns": \([0-9]*\),/\1/p' own.mov.json)
wanted=$(awk -v onset="$(cat own.txt)" -v first="$first_ns" 'BEGIN { print (onset - first) / 1e9 }')
echo "the tone begins at $onset s, and was played at $wanted s"
within "$onset" "$wanted" 0.03 || fail "the tone is at $onset s of the movie instead of $wanted s"

# Several nodes are added up, and one channel is heard on both sides. Each window has the sound.
TONES="one:0.2:1 two:0.2:2" record --output sum.mov -- bash program.sh --frames 150 --windows 2
for movie in sum.mov sum-2.mov; do # on the right 440 and 660 Hz; on the left twice 440, which no one knows the phase of
    within "$(heard $movie 1.3 | cut -d ' ' -f 5)" -6 0.2 || fail "$movie has $(heard $movie 1.3)"
done
TONES=mono:0.2:1 record --output mono.mov -- bash program.sh --frames 100
expect_tone mono.mov 220 -9.0 220 -9.0

# What another program plays is not the program's, but what the desktop is heard to play. Who links here is the session
# manager elsewhere.
"$tone" other 0 2 >other.txt &
other=$!
processes+=($other)
until_true pw-link other:output_FL sink:playback_FL
pw-link other:output_FR sink:playback_FR
record --output not.mov -- bash program.sh --frames 60
[[ "$(heard not.mov)" = "nothing 0 "* ]] || fail "not.mov has $(heard not.mov)"
within "$(length not.mov a)" 1 0.1 || fail "not.mov has $(length not.mov a) s of silence"
expect_said "the program played nothing: the sound of the movies is silence"
start --sound desktop --output desktop.mov -- bash program.sh --frames 120
until_true pw-link sink:monitor_FL weir-record:input_FL
pw-link sink:monitor_FR weir-record:input_FR
finish 0
expect_tone desktop.mov 220 -9.0 330 -9.0

# A node says whose it is, where its client is a server of sound for many.
start --output said.mov -- bash program.sh --frames 120
until_true pgrep -P "$recorder"
"$tone" said 0 2 "$(pgrep -P "$recorder")" >said.txt &
said=$!
processes+=($said)
until_true pw-link said:output_FL sink:playback_FL
pw-link said:output_FR sink:playback_FR
finish 0
kill $said $other
expect_tone said.mov 220 -9.0 330 -9.0

# Pauses have no sound, and segments share it.
TONES=long:0:2 start --output pause.mov -- bash program.sh --frames 150
until_true test -s long.txt
sleep 0.5
"$weir" record --ctl pause >/dev/null
sleep 0.5
"$weir" record --ctl start >/dev/null
finish 0
within "$(length pause.mov a)" "$(length pause.mov v)" 0.1 || fail "pause.mov has $(length pause.mov a) s of sound, $(length pause.mov v) s of frames"
within "$(length pause.mov v)" 2 0.2 || fail "pause.mov is $(length pause.mov v) s long"
TONES=parts:0.2:2 record --output parts.mov --segment-size 1M -- bash program.sh --frames 100 --size 320x240
for part in parts.00[1234].mov; do
    within "$(length $part a)" "$(length $part v)" 0.1 || fail "$part has $(length $part a) s of sound, $(length $part v) s of frames"
done
"$weir" join --quiet parts.*.mov joined.mov
expect_tone joined.mov 220 -9.0 330 -9.0

# None is wanted.
record --sound none --output none.mov -- bash program.sh --frames 10
[ -z "$(length none.mov a)" ] || fail "--sound none records sound"
! grep -qi "sound\|PipeWire" stderr.txt || fail "--sound none says $(cat stderr.txt)"

# PipeWire ends in the middle, and the movie goes on.
TONES=lost:0.1:2 start --output lost.mov -- bash program.sh --frames 150
until_true test -s lost.txt
sleep 1.4
kill $pipewire
finish 0
expect_tone lost.mov 220 -9.0 330 -9.0
expect_said "from now on there is silence in the movies: PipeWire says"
[ "$(field lost.mov nb_read_frames)" = 150 ] || fail "lost.mov has $(field lost.mov nb_read_frames) frames"

# It does not run: frames alone, and a line.
record --output alone.mov -- "$fake" --frames 10
expect_numbers alone.mov 0 9
[ -z "$(length alone.mov a)" ] || fail "alone.mov has sound"
expect_said "there is no sound in the movies: PipeWire does not run"
[ "$(wc -l <stderr.txt)" = 2 ] || fail "without PipeWire it says $(cat stderr.txt)"
record --quiet --output quiet.mov -- "$fake" --frames 2
[ ! -s stderr.txt ] || fail "--quiet says $(cat stderr.txt)"
record --quiet --sound program --output asked.mov -- "$fake" --frames 2
expect_said "there is no sound in the movies: PipeWire does not run"
echo passed
