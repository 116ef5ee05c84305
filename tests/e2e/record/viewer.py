# SPDX-License-Identifier: MIT
# viewer.py URL LOG FILE: be a viewer of weir record --live without a browser. Write the blocks of the tenth picture, and print the
# number of its frame by the present log.
import base64, os, struct, socket, sys
from pathlib import Path

url, log, file = sys.argv[1:]
place, query = url.removeprefix("http://").split("/")
host, port = place.split(":")
viewer = socket.create_connection((host, int(port)))
viewer.sendall("\r\n".join([f"GET /{query} HTTP/1.1", f"Host: {place}", f"Origin: http://{place}", "Upgrade: websocket", "Connection: Upgrade",
                            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Protocol: weir", "", ""]).encode())
stream = viewer.makefile("rb")
assert b" 101 " in stream.readline()
while stream.readline().strip():
    pass
pictures, message = 0, b""
while pictures < 10:  # frames of RFC 6455 without a mask
    first, size = stream.read(2)
    if size > 125:
        size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
    data = stream.read(size)
    message = data if first & 15 else message + data
    binary = first & 15 == 2 or (not first & 15 and binary)
    if first & 128 and binary:
        pictures += 1
        viewer.sendall(b"\x81\x85\0\0\0\0shown")
time = struct.unpack("<q", message[8:16])[0]
Path(file).write_bytes(message[16:])
lines = [[int(word) for word in line.split()] for line in Path(log).read_text().splitlines()]
print(*(number for number, end, begin in lines if begin <= time <= end))
