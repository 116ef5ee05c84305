#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Floats of BC6H and BC7 that are rounded are `precise` until they are rounded again.

usage: precise.py BUILD_DIR

Kernels round by adding a large number and subtracting it. Where what follows may be reassociated, a driver moves that
number through it, and other bytes come out (NVIDIA 580.159, BC7 at live and fast). So additions and multiplications
are NoContraction in each function that rounds, calls one that does, or is called by such a function. fma() has no such
decoration: glslang ignores `precise` there. Texels are fetched before all that.
"""
import pathlib
import struct
import sys

OP_NAME, OP_ENTRY_POINT, OP_CONSTANT, OP_CONSTANT_COMPOSITE, OP_FUNCTION, OP_CALL = 5, 15, 43, 44, 54, 57
OP_DECORATE, NO_CONTRACTION = 71, 42
ARITHMETIC = {127: "OpFNegate", 129: "OpFAdd", 131: "OpFSub", 133: "OpFMul", 136: "OpFDiv", 142: "OpVectorTimesScalar",
              148: "OpDot"}
LARGE = struct.unpack("<I", struct.pack("<f", 12582912))[0]  # of shaders/encode/rounding.glsl


def instructions(words):
    at = 5
    while at < len(words):
        yield words[at] & 0xffff, words[at + 1:at + (words[at] >> 16)]
        at += words[at] >> 16


class Function:
    def __init__(self):
        self.calls, self.rounds, self.loose = set(), False, []


def read(words, has_precise=True):
    """The functions of a kernel by their ids, without its entry points, and names; as if nothing was precise, if asked."""
    functions, names, precise, large, entries, now = {}, {}, set(), set(), set(), None
    for op, operands in instructions(words):
        if op == OP_NAME:
            text = b"".join(struct.pack("<I", word) for word in operands[1:])
            names[operands[0]] = text.split(b"\0")[0].decode().split("(")[0]
        elif op == OP_ENTRY_POINT:
            entries.add(operands[1])
        elif op == OP_DECORATE and operands[1] == NO_CONTRACTION and has_precise:
            precise.add(operands[0])
        elif (op == OP_CONSTANT and operands[2] == LARGE) or (op == OP_CONSTANT_COMPOSITE and operands[2] in large):
            large.add(operands[1])
        elif op == OP_FUNCTION:
            now = functions[operands[1]] = Function()
        elif op == OP_CALL:
            now.calls.add(operands[2])
        elif op in ARITHMETIC:
            now.rounds = now.rounds or bool(large.intersection(operands[2:]))
            if operands[1] not in precise:
                now.loose.append(ARITHMETIC[op])
    return {key: value for key, value in functions.items() if key not in entries}, names


def between_roundings(functions):
    """The ids of the functions that round, of all their callers, and of what these call."""
    found = {key for key, function in functions.items() if function.rounds}
    before = None
    while before != found:
        before = set(found)
        found |= {key for key, function in functions.items() if function.calls & found}
    return found | {call for key in found for call in functions[key].calls}


def loose_functions(words, has_precise=True):
    """The number of functions that must be precise, and what is not in those that are not."""
    functions, names = read(words, has_precise)
    found = between_roundings(functions)
    return len(found), [f"{names.get(key, key)}(): {' '.join(functions[key].loose)}" for key in sorted(found)
                        if functions[key].loose and names.get(key) != "fetch_block"]


def main():
    status = num_functions = 0
    binaries = [binary for pattern in ("encode_bc6h_*.spv", "encode_bc7_*.spv")
                for binary in sorted((pathlib.Path(sys.argv[1]) / "shaders").glob(pattern))]
    for binary in binaries:
        words = [word for word, in struct.iter_unpack("<I", binary.read_bytes())]
        num, loose = loose_functions(words)
        num_functions += num
        for function in loose:
            print(f"{binary.stem}: not precise in {function}")
            status = 1
        if not loose_functions(words, has_precise=False)[1]:
            print(f"{binary.stem}: nothing is found where nothing is precise")
            status = 1
    print(f"{len(binaries)} kernels, {num_functions} functions")
    return status if binaries else 1


sys.exit(main())
