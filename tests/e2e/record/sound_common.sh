# SPDX-License-Identifier: MIT
# What the tests of the sound of weir record share. Sourced: bash cli_record_x.sh WEIR FOLDER FAKE TONE. They have a PipeWire
# of their own, with a sink and no session manager, and programs that play tones.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tone=$4
source "$here/../cli_common.sh"
source "$here/record_common.sh"
hold ffprobe ffmpeg
unset PIPEWIRE_DEBUG PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR PIPEWIRE_CORE PIPEWIRE_LATENCY PIPEWIRE_QUANTUM PIPEWIRE_PROPS
for tool in pipewire pw-cli pw-link python3; do
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
        audio.position = [ FL FR ] } }
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
# As a session manager does. PipeWire 1.4 makes no ports of a sink by adapter.auto-port-config.
until_true pw-cli set-param sink PortConfig "{ direction: Input, mode: dsp, monitor: true, format: {
    mediaType: audio, mediaSubtype: raw, format: F32P, rate: 48000, channels: 2, position: [ FL, FR ] } }"
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
