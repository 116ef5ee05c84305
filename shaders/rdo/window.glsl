// SPDX-License-Identifier: MIT
// The blocks of a tile that a workgroup holds. Texels are packed.

// The blocks of a tile are read and decoded in batches, a texel an invocation.
const uint BATCH = WEIR_RDO_WINDOW / 16u;
shared uint batch_source[BATCH][16];
shared uint batch_decoded[BATCH][16];

// The last blocks of the tile: block b is in place b % 128. Only the invocation of a place reads
// it, but for a copy.
shared uvec4 window_texels[4][WEIR_RDO_WINDOW]; // four in a vector
shared WORDS window_words[WEIR_RDO_WINDOW];
