// SPDX-License-Identifier: MIT
// Does nothing. weir-bench pyramid measures with it the cost of a dispatch by itself. One
// invocation a workgroup.
#version 460

layout(local_size_x = 1) in;

void main()
{
}
