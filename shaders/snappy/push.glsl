// SPDX-License-Identifier: MIT
// The push constants of the kernels of Snappy, in GLSL and in src/snappy.
uint source;      // its first word, index
uint destination; // its first 16 bytes, index
uint num_chunks;
uint chunk_words;
uint chunk_fragments;
uint least_saved; // else all chunks are stored [bytes]
