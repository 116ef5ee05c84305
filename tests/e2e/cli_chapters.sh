#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_chapters.sh WEIR FOLDER: chapters, by ffprobe: weir transcode takes over those of its input, and of a range those of
# the range; weir join has those of all movies; weir recover keeps them; and weir info says them.
source "$(dirname "$0")/cli_common.sh"
hold weir ffprobe

# expect_chapters MOVIE TEXT: the start [s] and title of each.
expect_chapters() {
    local said
    said=$(probe "$1" chapter=start_time:chapter_tags=title | tr '\n' ' ')
    [ "$said" = "$2" ] || fail "$1 has the chapters '$said' and should have '$2'"
}

long=$(printf 'é%.0s' {1..200})
cut=$(printf 'é%.0s' {1..127})
cat >chapters.txt <<TEXT
;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=480
title=Intro
[CHAPTER]
TIMEBASE=1/1000
START=480
END=1333
title=Straße \= "2"
[CHAPTER]
TIMEBASE=1/1000
START=1333
END=2000
title=$long
TEXT
make plain.mkv "testsrc2=s=32x32:r=25:d=2" -c:v ffv1
ffmpeg -nostdin -v error -y -i plain.mkv -i chapters.txt -map_metadata 1 -c copy in.mkv

"$weir" transcode in.mkv all.mov --quiet
expect_chapters all.mov "0.000000,Intro 0.480000,\"Straße = \"\"2\"\"\" 1.333000,$cut "
"$weir" transcode in.mkv part.mov --quiet --range 0.6-1.4
expect_chapters part.mov "0.000000,\"Straße = \"\"2\"\"\" 0.733000,$cut "
"$weir" transcode in.mkv short.mov --quiet --frames 10
expect_chapters short.mov "0.000000,Intro "
"$weir" transcode - piped.mov --quiet --no-audio <in.mkv
expect_chapters piped.mov "0.000000,Intro 0.480000,\"Straße = \"\"2\"\"\" 1.333000,$cut "
"$weir" transcode plain.mkv none.mov --quiet
expect_chapters none.mov ""

# The first ones of more than a movie holds.
{
    echo ";FFMETADATA1"
    for i in {0..299}; do
        printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%d\n' $((i * 5)) $((i * 5 + 5)) "$i"
    done
} >many.txt
ffmpeg -nostdin -v error -y -i plain.mkv -i many.txt -map_metadata 1 -c copy many.mkv
expect_status 0 "lacks 45 chapters" "$weir" transcode many.mkv many.mov --quiet
[ "$(probe many.mov chapter_tags=title | xargs)" = "$(echo {0..254})" ] || fail "many.mov has not the first 255 chapters"

# Joined, those of each follow the movies before it.
"$weir" join short.mov part.mov none.mov short.mov joined.mov --end-to-end --quiet
expect_chapters joined.mov "0.000000,Intro 0.400000,\"Straße = \"\"2\"\"\" 1.133000,$cut 3.200000,Intro "

# A closed movie one of whose frames is damaged keeps its chapters.
cp all.mov bad.mov
zero bad.mov "$(frame_at all.mov 20)" 4
expect_status 0 "chapter from 0.480 s on: Straße = \"2\"" "$weir" recover bad.mov good.mov
expect_chapters good.mov "0.000000,Intro 0.480000,\"Straße = \"\"2\"\"\" 1.333000,$cut "

expect_status 0 "^  chapter from 0.000 s on: Intro$" "$weir" info all.mov
expect_status 0 '"title": "Straße = \\"2\\""' "$weir" info --json all.mov
expect_json stdout.txt
[ "$(grep -c '"start": ' stdout.txt)" = 3 ] || fail "the JSON is: $(cat stdout.txt)"
echo passed
