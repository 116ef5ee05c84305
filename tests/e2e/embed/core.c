// SPDX-License-Identifier: MIT
// A program that links libweir alone.
#include <weir/encode.h>

int main(void)
{
    return weir_codec_image_size(WEIR_CODEC_DEFAULT, 1, 1) != 16;
}
