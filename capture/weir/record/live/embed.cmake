# SPDX-License-Identifier: MIT
# Writes the bytes of a file as an initialiser of C: -DINPUT=FILE -DOUTPUT=FILE.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
