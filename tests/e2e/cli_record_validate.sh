#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_validate.sh WEIR FOLDER PRESENT NUMBERS: validation and synchronization validation have nothing to say of a program
# that is recorded, between the layer and the driver, where they see what the layer does, and between the program and the layer.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"
"$present" --frames 1 --validate >without.log 2>&1 || skip "$(cat without.log)"

number=0
# validated_at PLACE [RECORD OPTION...] -- [PRESENT OPTION...]: a message ends e2e_present with 1. Layers that the program asks
# for come behind those of the environment.
validated_at() {
    local name=$1$number options=(--policy wait --codec hap --sync 0 "${@:2}" --validate)
    number=$((number + 1))
    if [ "$1" = below ]; then
        record "$name" "${options[@]}"
    else
        VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation record "$name" "${options[@]}"
    fi
    for movie in "$name"*.mov; do
        expect_closed "$movie"
    done
}
# validated ...: at both places.
validated() {
    validated_at below "$@"
    validated_at above "$@"
}
# Each pair of two of these three: a place, how many semaphores a present waits for, and windows.
place=below
for waits in 0 1 40; do
    for windows in 1 2; do
        validated_at $place -- --frames 12 --size 96x96 --waits $waits --windows $windows --resize-each 5
        [ $place = below ] && place=above || place=below
    done
    [ $place = below ] && place=above || place=below
done
validated -- --frames 12 --size 96x96 --no-old-swapchain --resize-each 3 --immediate
validated -- --frames 12 --size 96x96 --recreate-each 2
validated -- --frames 9 --fork --api 1.1
validated -- --frames 5 --api 1.2 --vulkan12-features off
validated -- --frames 5 --api 1.3 --vulkan12-features on
validated -- --frames 9 --shared-images --api 1.1
validated -- --frames 9 --format bgra8_srgb
validated -- --frames 5 --end leak
validated --codec hap_q --steady --slots 2 -- --frames 30 --immediate
validated --codec hap_q_alpha --every 2 -- --frames 9
if [[ "$("$program" record --live 0 --quiet --output no.mov -- true 2>&1)" != *"built without"* ]]; then
    validated --live 0 --size 1/2 -- --frames 9 --size 1000x96 --windows 2 # whose small pictures are a quarter
    validated --live 0 --on-resize fit -- --frames 9 --size 96x96 --resize-each 4
fi
# The layers stood where this says.
VK_LOADER_DEBUG=layer "$program" record --quiet --output order.mov -- "$present" --frames 1 --validate >order.txt 2>&1
grep -qx "VK_LAYER_WEIR_capture VK_LAYER_KHRONOS_validation" <<<"$(grep -o "VK_LAYER_[A-Za-z]*_[a-z]*$" order.txt | tail -n 2 | xargs)" ||
    fail "the layers stand otherwise: $(grep -o "VK_LAYER_[A-Za-z]*_[a-z]*$" order.txt | xargs)"
echo "nothing was said of $number recordings"
