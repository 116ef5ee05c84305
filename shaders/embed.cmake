# SPDX-License-Identifier: MIT
# cmake -DINPUT=FILE -DOUTPUT=FILE -P embed.cmake: a binary of SPIR-V becomes the words of an initializer in C. As what
# glslc -mfmt=c writes, which reads no binary.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words ${bytes})
string(REGEX REPLACE "(0x........,0x........,0x........,0x........,0x........,0x........,0x........,0x........,)" "\\1\n"
       words ${words})
file(WRITE ${OUTPUT} "{${words}}\n")
