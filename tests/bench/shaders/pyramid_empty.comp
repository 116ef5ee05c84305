// SPDX-License-Identifier: MIT
// Does nothing: what a dispatch costs by itself, for weir-bench pyramid. One invocation a
// workgroup.
#version 460

layout(local_size_x = 1) in;

void main()
{
}
