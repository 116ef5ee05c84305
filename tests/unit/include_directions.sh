#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Who may include whom (docs/architecture.md). Without arguments it first proves, on a tree with one planted
# mistake of each kind, that it finds them.
set -euo pipefail

# These set `below`, `room` or `inside`: to print them to a subshell would take most of the time.

# The layers of src/ that a file in a layer may include, besides <weir/...>.
layers_below() {
    case $1 in
        base) below="base" ;;
        vk) below="vk base" ;;
        frame) below="frame vk base" ;;
        encode | rdo | snappy | readback | pyramid | palette) below="$1 frame vk base" ;;
        device) below="device vk base" ;;
        *) below="" ;;
    esac
}

# The folders of shaders/ that a file in a folder of it, or in the layer of that name, may include.
kernels_below() {
    case $1 in
        encode | rdo) below="$1 color bptc" ;;
        palette) below="$1 color" ;;
        frame) below="color" ;; # it says how an image is read
        color | bptc | pyramid | snappy) below="$1" ;;
        include) below="pyramid" ;; # what kernels of a user's own begin with
        *) below="" ;;
    esac
}

# The room of a file below capture/: base, movie, stream, files, link, layer, or one of the program's.
capture_room() {
    local path=${1#capture/}
    case $path in
        weir/*/*) path=${path#weir/}; room="weir/${path%%/*}" ;;
        */*) room="${path%%/*}" ;;
        *) room="" ;;
    esac
}

# The rooms below capture/ that a file in a room may include. A command knows no other command.
rooms_below() {
    case $1 in
        base) below="base" ;;
        movie) below="movie base" ;;
        stream | files) below="$1 movie base" ;;
        link) below="link" ;;
        layer) below="layer link" ;;
        weir/common) below="weir/common files movie base" ;;
        weir/gpu) below="weir/gpu weir/common files movie base" ;;
        weir/movie) below="weir/movie weir/gpu weir/common files movie base" ;;
        weir/record) below="$1 link weir weir/movie weir/gpu weir/common files movie base" ;;
        weir/*) below="$1 weir weir/movie weir/gpu weir/common files movie base" ;;
        weir) below="weir weir/common" ;;
        *) below="" ;;
    esac
}

# The file of src/ that a test may include because it tests the inside.
inside_of() {
    case $1 in
        tests/unit/pyramid_plan_test.c | tests/unit/pyramid_times.h | tests/unit/pyramid_choice_test.c) inside="pyramid/plan.h" ;;
        tests/unit/pyramid_reads_test.c) inside="pyramid/pyramid.h" ;;
        tests/gpu/pyramid_images.c) inside="pyramid/target.h" ;;
        *) inside="" ;;
    esac
}

# Prints what is wrong with FILE including <HEADER> or "HEADER", if anything.
judge() {
    local file=$1 kind=$2 header=$3 layer below room inside
    if [[ $header == *..* ]]; then
        echo "$file: \"$header\": include from the root of src/ or of the repository"
        return
    fi
    case $file in
        src/include/*)
            [ "$kind" = '<' ] || echo "$file: \"$header\": public headers include <...> only"
            [[ $header =~ ^(weir/[a-z]+\.h|vulkan/vulkan_core\.h|std(bool|def|int)\.h)$ ]] ||
                echo "$file: <$header>: public headers need Vulkan's and the standard's types only"
            ;;
        src/*)
            layer=${file#src/}
            layer=${layer%%/*}
            layers_below "$layer"
            if [[ $kind = '"' && $header =~ ^shaders/([a-z]+)/(constants\.h|push\.glsl)$ ]]; then
                kernels_below "$layer"
                [[ " $below " == *" ${BASH_REMATCH[1]} "* ]] ||
                    echo "$file: \"$header\": src/$layer shares constants of shaders/: $below only"
            elif [ "$kind" = '"' ]; then
                [[ " $below " == *" ${header%%/*} "* || $header == kernels.h ]] ||
                    echo "$file: \"$header\": src/$layer may include $below only"
            elif [[ $header =~ ^(pthread|threads|libav|snappy|GLFW|unistd|fcntl|sys/) ]]; then
                echo "$file: <$header>: libweir has no thread, no file, no libav"
            fi
            ;;
        capture/*)
            capture_room "$file"
            layer=$room
            if [ "$kind" = '"' ]; then
                rooms_below "$layer"
                capture_room "$header"
                [[ $header == capture/* && " $below " == *" $room "* ]] ||
                    [[ $layer == weir/gpu && $header =~ ^[a-z]+\.inc$ ]] || # its own kernels
                    echo "$file: \"$header\": capture/$layer may include $below only, and <weir/...>"
            fi
            [[ $header != GLFW/* ]] || echo "$file: <$header>: GLFW is for samples/"
            [[ $file != capture/stream/* || ! $header =~ ^lib(av|sw) ]] ||
                echo "$file: <$header>: capture/stream has no libav"
            [[ $layer != movie || $kind != '<' || $header =~ ^(weir/[a-z]+|std[a-z]+|string)\.h$ ]] ||
                echo "$file: <$header>: capture/movie has no thread, no file, no libav"
            [[ $layer != link || $kind != '<' || ! $header =~ ^(weir|vulkan|lib[a-z]+)/ ]] ||
                echo "$file: <$header>: capture/link needs the system alone"
            [[ $layer != layer || ! $header =~ ^lib(av|sw) ]] ||
                echo "$file: <$header>: capture/layer has no libav"
            [[ $layer != weir/* || ! $header =~ ^lib(av|sw) ]] ||
                echo "$file: <$header>: capture/files reads and writes files"
            ;;
        shaders/*.h)
            echo "$file: \"$header\": constants that C and GLSL share include nothing"
            ;;
        shaders/*)
            layer=${file#shaders/}
            layer=${layer%%/*}
            kernels_below "$layer"
            [[ $header != */* || " $below " == *" ${header%%/*} "* ]] ||
                echo "$file: \"$header\": shaders/$layer may include $below only"
            ;;
        samples/*)
            [ "$kind" = '<' ] || [[ $header != */* ]] ||
                echo "$file: \"$header\": a sample includes <weir/...> and files beside it"
            ;;
        tests/*)
            # By its path from src/, or from the repository.
            layer=${header#src/}
            inside_of "$file"
            layers_below "${layer%%/*}"
            [[ $kind = "<" || $layer == "$inside" ]] || [[ $header != src/* && -z $below ]] ||
                echo "$file: \"$header\": a test includes <weir/...>, and no file of src/"
            ;;
    esac
}

check() {
    local root=$1 file line
    cd "$root"
    while IFS= read -r line; do
        file=${line%%:*}
        [[ ${line#*:} =~ ^[[:space:]]*\#[[:space:]]*include[[:space:]]*([\<\"])([^\>\"]+) ]] || continue
        judge "$file" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    done < <({
        find src capture samples tests -name '*.[ch]' -print0
        find shaders \( -name '*.h' -o -name '*.glsl' -o -name '*.comp' \) -print0
    } | sort -z | xargs -0 -r grep -H '^[[:space:]]*#[[:space:]]*include')
}

if [ $# = 1 ]; then
    found=$(check "$1")
    [ -z "$found" ] || { echo "$found"; exit 1; }
    exit 0
fi

root=$(cd "$(dirname "$0")/../.." && pwd)
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
plant() {
    mkdir -p "$planted/src/include/weir" "$planted/capture" "$planted/samples" "$planted/shaders" "$planted/tests" "$(dirname "$planted/$1")"
    echo "#include $2" >"$planted/$1"
    if bash "$0" "$planted" >/dev/null; then
        echo "a planted mistake was not found: $1 includes $2"
        exit 1
    fi
    rm "${planted:?}/$1"
}
plant src/include/weir/x.h '"base/log.h"'
plant src/include/weir/x.h '<stdio.h>'
plant src/include/weir/x.h '<vulkan/vulkan.h>'
plant src/base/x.c '"vk/context.h"'
plant src/vk/x.c '"frame/image.h"'
plant src/encode/x.c '"readback/slot.h"'
plant src/readback/x.h '"encode/codec.h"'
plant src/frame/x.c '"../vk/context.h"'
plant src/vk/x.c '<pthread.h>'
plant src/encode/x.c '<libavformat/avformat.h>'
plant capture/stream/ring/x.c '"base/log.h"'
plant capture/stream/ring/x.c '"src/base/log.h"'
plant capture/stream/ring/x.c '"capture/weir/common/options.h"'
plant capture/stream/mux/x.c '"capture/files/texture/dds.h"'
plant capture/stream/mux/x.c '<libavformat/avformat.h>'
plant capture/files/source/x.c '"capture/stream/ring/ring.h"'
plant capture/base/x.c '"capture/files/source/list.h"'
plant capture/movie/x.c '"capture/stream/mux/mux.h"'
plant capture/movie/x.c '<libavformat/avformat.h>'
plant capture/movie/x.c '<unistd.h>'
plant capture/base/x.c '"capture/movie/boxes.h"'
plant capture/link/x.c '"capture/base/descriptor.h"'
plant capture/link/x.c '<weir/log.h>'
plant capture/link/x.c '<vulkan/vulkan_core.h>'
plant capture/layer/x.c '"capture/base/thread.h"'
plant capture/layer/x.c '"capture/weir/record/record.h"'
plant capture/layer/x.c '<libavutil/log.h>'
plant capture/stream/x.c '"capture/link/link.h"'
plant capture/base/x.c '"capture/link/link.h"'
plant capture/weir/common/x.c '"capture/link/link.h"'
plant capture/weir/mips/x.c '"capture/link/link.h"'
plant capture/weir/record/x.c '"capture/layer/layer.h"'
plant capture/weir/gpu/x.c '"capture/stream/ring/ring.h"'
plant capture/weir/common/x.c '"capture/weir/gpu/gpu.h"'
plant capture/weir/movie/x.c '"halve.inc"'
plant capture/weir/mips/x.c '"capture/weir/texture/texture.h"'
plant capture/weir/mips/x.c '<libavcodec/avcodec.h>'
plant src/encode/x.c '"shaders/palette/constants.h"'
plant src/vk/x.c '"shaders/color/constants.h"'
plant src/encode/x.c '"shaders/encode/region.glsl"'
plant capture/base/x.c '"shaders/encode/constants.h"'
plant shaders/pyramid/x.glsl '"color/source.glsl"'
plant shaders/palette/x.comp '"encode/region.glsl"'
plant shaders/rdo/x.glsl '"encode/region.glsl"'
plant shaders/bptc/x.glsl '"color/source.glsl"'
plant shaders/encode/constants.h '"color/constants.h"'
plant samples/capture/x.c '"capture/stream/ring/ring.h"'
plant samples/capture/x.c '"vk/context.h"'
plant tests/bench/x.c '"vk/context.h"'
plant tests/fuzz/x.c '"src/base/log.h"'
plant tests/unit/x.c '"pyramid/plan.h"'
plant tests/capture/x.c '"palette/palette.h"'
plant tests/gpu/pyramid_images.c '"vk/context.h"'
mkdir -p "$planted/src/vk"
echo '#include "base/log.h"' >"$planted/src/vk/x.c"
echo '#include "shaders/encode/constants.h"' >"$planted/src/encode/x.c"
echo '#include "color/source.glsl"' >"$planted/shaders/encode/x.glsl"
mkdir -p "$planted/tests/unit" "$planted/capture/layer" "$planted/capture/weir/record"
echo '#include "capture/link/link.h"' >"$planted/capture/layer/x.c"
echo '#include "capture/link/link.h"' >"$planted/capture/weir/record/x.c"
echo '#include "pyramid/plan.h"' >"$planted/tests/unit/pyramid_plan_test.c"
echo '#include "tests/ref/source.h"' >"$planted/tests/unit/bc1_test.c"
bash "$0" "$planted" # a right one passes
bash "$0" "$root"
