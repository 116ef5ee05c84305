#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_sound.sh WEIR FOLDER FAKE TONE: whose sound weir record records, and when.
source "$(dirname "$0")/record/sound_common.sh"

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
TONES="one:0.2:1 two:0.2:2" record --output sum.mov -- bash program.sh --frames 100 --windows 2
expect_tone sum.mov any any any -6 # 440 and 660 Hz on the right; on the left twice 440, whose phases nobody knows
expect_tone sum-2.mov any any any -6
TONES=mono:0.2:1 record --output mono.mov -- bash program.sh --frames 70
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
expect_said "the program played nothing: the movies are silent"
start --sound desktop --output desktop.mov -- bash program.sh --frames 90
until_true pw-link sink:monitor_FL weir-record:input_FL
pw-link sink:monitor_FR weir-record:input_FR
finish 0
expect_tone desktop.mov 44 -9 66 -9

# The page shows how loud it is.
if command -v chromium && command -v node && ! grep -q "built without" <<<"$("$weir" record --live 0 --output no.mov -- true 2>&1)"; then
    TONES=level:0.2:2 start --live 0 --output level.mov -- bash program.sh --until level_end
    until_true grep -q "watch it at" stderr.txt
    timeout 240 node --input-type=module -e "
        import {Browser} from '$here/browser.mjs';
        const browser = new Browser(), page = await browser.open('$(grep -o 'http://.*' stderr.txt)');
        await page.until(\"Math.abs(\$('sound').firstChild.value - .5) < .01\").finally(() => browser.close());
        process.exit(0)" 2>level.txt || fail "the page: $(cat level.txt)"
    touch level_end
    finish 0
fi

# A node says whose it is, where its client is a server of sound for many.
start --output said.mov -- bash program.sh --frames 90
until_true pgrep -P "$recorder"
"$tone" said 0 2 "$(pgrep -P "$recorder")" >said.txt &
said=$!
processes+=($said)
until_true pw-link said:output_FL sink:playback_FL
pw-link said:output_FR sink:playback_FR
finish 0
kill $said $other
expect_tone said.mov 44 -9 66 -9

echo passed
