// SPDX-License-Identifier: MIT
// The formats of samples that are not compressed.
#include <weir/audio.h>

#include <stddef.h>

uint32_t weir_audio_sample_size(enum weir_sample_format format, uint32_t num_channels)
{
    static const uint32_t sizes[] = {
        [WEIR_SAMPLE_S16] = 2, [WEIR_SAMPLE_S24] = 3, [WEIR_SAMPLE_S32] = 4, [WEIR_SAMPLE_F32] = 4};
    const size_t i = (size_t)format;
    return i < sizeof(sizes) / sizeof(sizes[0]) ? sizes[i] * num_channels : 0;
}
