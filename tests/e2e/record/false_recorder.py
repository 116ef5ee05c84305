# SPDX-License-Identifier: MIT
"""A recorder that is none, for a program with a window of 320x240.

    false_recorder.py SOCKET drop|wait DEED    serves one program, and ends with it
"""
import fcntl
import os
import signal
import socket
import struct
import sys

HELLO, STREAM, FRAME, END, SETUP, RECORD, ACCEPT, RELEASE = 1, 2, 3, 4, 16, 17, 18, 20
BC1, FAST, SLOTS, SIZE = 4, 1, 2, 38400  # codec, effort, slots of the memory, bytes of a frame
SLOT = (SIZE + 4095) // 4096 * 4096
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
path, policy, deed = sys.argv[1:]


def message(kind, form, *values):
    body = struct.pack("<" + form, *values)
    return struct.pack("<II", kind, 8 + len(body)) + body


def accept(layer):
    memory = os.memfd_create("frames", os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, SLOTS * SLOT)
    if deed != "unsealed":
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, SEALS)
    socket.send_fds(layer, [message(ACCEPT, "IIQ6Q", 0, SLOTS, SLOT, 0, 0, 0, SIZE, 0, 0)], [memory])
    os.close(memory)


listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(path)
listener.listen()
layer = listener.accept()[0]
layer.recv(2048)
if deed == "garbage":
    layer.send(b"garbage")
elif deed != "silent":
    layer.send(message(SETUP, "16I", 2, 1, BC1, 0, FAST, 0, 0, 0, int(policy == "wait"), SLOTS, 1, 0, 1, 0, 0, 0))
try:
    while data := layer.recv(2048):
        kind = struct.unpack("<I", data[:4])[0]
        if kind == STREAM and deed == "mute":
            continue
        if kind == STREAM:
            accept(layer)
        if kind == FRAME and deed == "lies":
            layer.send(message(RELEASE, "II", 0, 1 - struct.unpack("<I", data[12:16])[0] % 2))
        while kind == FRAME and deed == "floods":
            layer.send(message(RECORD, "II", 1, 0))
        if kind == FRAME and deed == "stands":
            signal.pause()
except OSError:
    pass
