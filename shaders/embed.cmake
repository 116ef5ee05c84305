# SPDX-License-Identifier: MIT
# cmake -DINPUT=FILE -DOUTPUT=FILE -P embed.cmake: a binary of SPIR-V becomes the words of an initializer in C, as glslc
# -mfmt=c writes them. glslc itself does this for GLSL alone, not for what spirv-opt has changed.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words ${bytes})
string(REGEX REPLACE "(0x........,0x........,0x........,0x........,0x........,0x........,0x........,0x........,)" "\\1\n"
       words ${words})
file(WRITE ${OUTPUT} "{${words}}\n")
