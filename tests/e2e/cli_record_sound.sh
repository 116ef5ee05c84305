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

# Without a high priority, which not everyone may have, threads that are not in time are left out on a machine that is busy.
cat >pipewire.conf <<'CONFIG'
context.properties = { core.daemon = true core.name = pipewire-0 default.clock.rate = 48000 default.clock.quantum = 1024 support.dbus = false }
context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }
context.modules = [
    { name = libpipewire-module-rt args = { nice.level = 0 rt.prio = 20 } flags = [ ifexists nofail ] }
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
# Of the left and of the right, in each tenth of a second from where the sound begins: how often it crosses zero upwards, and
# its level [dB]. On a machine that is busy PipeWire leaves out cycles, so one that is as wanted will do where it goes on.
samples = array.array("h", sys.stdin.buffer.read())
onset = next((i // 2 for i, v in enumerate(samples) if abs(v) > 3000), None)
if onset is None:
    print("nothing: the largest of %.2f s is %d" % (len(samples) / 96000, max(map(abs, samples), default=0)))
    sys.exit(1)

def level(part):
    return 10 * math.log10(sum(v * v for v in part) / len(part) / 32768 ** 2 + 1e-12)

def facts(part):
    return [sum(a < 0 <= b for a, b in zip(part, part[1:])), round(level(part), 1)]

found = [facts(samples[2 * i:2 * i + 9600:2]) + facts(samples[2 * i + 1:2 * i + 9601:2])
         for i in range(onset, len(samples) // 2 - 4800, 480)]
wanted = sys.argv[1:]
most = 1, 0.2, 1, 0.2
fits = [all(w == "any" or abs(f - float(w)) <= m for f, w, m in zip(values, wanted, most)) for values in found]
print("%.4f" % (onset / 48000), "as wanted" if any(fits) else found[len(found) // 2])
sys.exit(not any(fits) or level(samples[2 * onset:2 * onset + 96000]) < -15)
JUDGE

# heard MOVIE [CROSSINGS DB CROSSINGS DB]: when the sound of its track begins, if it is so on the left and the right: in a
# tenth of a second 440 Hz has 44 crossings, 660 Hz 66. -9 dB is half of full scale.
heard() {
    ffmpeg -nostdin -v error -i "$1" -map 0:a -f s16le - | python3 heard.py "${@:2}"
}

# length MOVIE STREAM: in seconds.
length() {
    ffprobe -v error -select_streams "$2" -show_entries stream=duration -of csv=p=0 "$1"
}

# within A B MOST: they differ by that at most.
within() {
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a - b <= most && b - a <= most) }'
}

# expect_tone MOVIE CROSSINGS DB CROSSINGS DB: that is heard, and as long as the frames are seen.
expect_tone() {
    local found
    found=$(heard "$@") || fail "$1 has $found instead of ${*:2}"
    within "$(length "$1" a)" "$(length "$1" v)" 0.1 || fail "$1 has $(length "$1" a) s of sound, $(length "$1" v) s of frames"
}

# What a program plays is in its movie, and where it belongs: the tone begins when the program said so. A cycle that PipeWire
# leaves out there moves it, so it may be tried three times.
for try in 1 2 3; do
    rm -f own.mov own.mov.json
    TONES=own:0.5:2 record --output own.mov --sidecar --policy wait -- bash program.sh --frames 120
    expect_tone own.mov 44 -9 66 -9
    [ "$(field own.mov nb_read_frames)" = 120 ] || fail "own.mov has $(field own.mov nb_read_frames) frames"
    read -r onset found <<<"$(heard own.mov)"
    first_ns=$(sed -n 's/.*"first_time_ns": \([0-9]*\),/\1/p' own.mov.json)
    wanted=$(awk -v onset="$(cat own.txt)" -v first="$first_ns" 'BEGIN { print (onset - first) / 1e9 }')
    echo "the tone begins at $onset s, and was played at $wanted s"
    ! within "$onset" "$wanted" 0.03 || break
    [ $try -lt 3 ] || fail "the tone is at $onset s of the movie instead of $wanted s"
done
[ "$(ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 own.mov | tr '\n' ' ')" = "hap pcm_s16le,48000,2 " ] ||
    fail "own.mov has the tracks $(ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 own.mov)"

# Several nodes are added up, and one channel is heard on both sides. Each window has the sound.
TONES="one:0.2:1 two:0.2:2" record --output sum.mov -- bash program.sh --frames 150 --windows 2
expect_tone sum.mov any any any -6 # 440 and 660 Hz on the right; on the left twice 440, whose phases nobody knows
expect_tone sum-2.mov any any any -6
TONES=mono:0.2:1 record --output mono.mov -- bash program.sh --frames 100
expect_tone mono.mov 44 -9 44 -9

# What another program plays is not the program's, but what the desktop is heard to play. Who links here is the session
# manager elsewhere.
"$tone" other 0 2 >other.txt &
other=$!
processes+=($other)
until_true pw-link other:output_FL sink:playback_FL
pw-link other:output_FR sink:playback_FR
record --output not.mov -- bash program.sh --frames 60
[[ "$(heard not.mov)" = "nothing: "*" is 0" ]] || fail "not.mov has $(heard not.mov)"
within "$(length not.mov a)" 1 0.1 || fail "not.mov has $(length not.mov a) s of silence"
expect_said "the program played nothing: the sound of the movies is silence"
start --sound desktop --output desktop.mov -- bash program.sh --frames 120
until_true pw-link sink:monitor_FL weir-record:input_FL
pw-link sink:monitor_FR weir-record:input_FR
finish 0
expect_tone desktop.mov 44 -9 66 -9

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
expect_tone said.mov 44 -9 66 -9

# Pauses have no sound, and segments share it.
TONES=long:0:2 start --output pause.mov -- bash program.sh --frames 300
until_true test -s long.txt
sleep 0.5
"$weir" record --ctl pause >/dev/null
sleep 0.5
"$weir" record --ctl start >/dev/null
finish 0
within "$(length pause.mov a)" "$(length pause.mov v)" 0.1 || fail "pause.mov has $(length pause.mov a) s of sound, $(length pause.mov v) s of frames"
awk -v seconds="$(length pause.mov v)" 'BEGIN { exit !(seconds < 4.6) }' || fail "pause.mov is $(length pause.mov v) s long"
TONES=parts:0.2:2 record --output parts.mov --segment-size 1M -- bash program.sh --frames 100 --size 320x240
for part in parts.00[1234].mov; do
    within "$(length $part a)" "$(length $part v)" 0.1 || fail "$part has $(length $part a) s of sound, $(length $part v) s of frames"
done
"$weir" join --quiet parts.*.mov joined.mov
expect_tone joined.mov 44 -9 66 -9

# None is wanted.
record --sound none --output none.mov -- bash program.sh --frames 10
[ -z "$(length none.mov a)" ] || fail "--sound none records sound"
! grep -qi "sound\|PipeWire" stderr.txt || fail "--sound none says $(cat stderr.txt)"

# PipeWire ends in the middle, and the movie goes on.
TONES=lost:0.1:2 start --output lost.mov --policy wait -- bash program.sh --frames 150
until_true test -s lost.txt
sleep 1.4
kill $pipewire
finish 0
expect_tone lost.mov 44 -9 66 -9
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
