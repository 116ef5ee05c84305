# SPDX-License-Identifier: MIT
"""Translates a kernel from GLSL to C++, which tests run on the processor.

usage: translate.py SHADERS KERNEL OUTPUT EFFORTS [DEFINE...]

SHADERS/KERNEL becomes a class, a template of the effort, whose members are the globals of the kernel. OUTPUT has a table of
it at these EFFORTS, of which an invocation runs alone. Without efforts it has a function that runs whole workgroups: what
waits at a barrier is a coroutine. Lines keep their numbers: a debugger shows the kernel itself. glsl.h has what the text
needs.
"""
import re
import sys
from pathlib import Path

shaders, kernel, output, efforts, *defines = sys.argv[1:]
files = []


def flatten(path):
    """Get the text of a file and of all that it includes."""
    files.append(f"{shaders}/{path}")
    lines = [f'#line 1 "{shaders}/{path}"']
    for number, line in enumerate(Path(shaders, path).read_text(encoding="utf-8").splitlines(), 1):
        if include := re.match(r'#include "(.*)"', line):
            lines += [flatten(include[1]), f'#line {number + 1} "{shaders}/{path}"']
        else:
            lines.append(re.sub("^#(version|extension).*", "", line))
    return "\n".join(lines)


def in_braces(constructor, text):
    """T(a, b) and T[2](a, b) become T{a, b} and {a, b}: `constructor` matches up to the parenthesis."""
    while found := re.search(constructor, text):
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        name = "" if "[" in found[0] else found[0][:-1]
        text = text[:found.start()] + name + "{" + text[found.end():end - 1] + "}" + text[end:]
    return text


def as_array(found):
    """T a[N][M], b[N][M] becomes array<array<T, M>, N> a, b."""
    array = found[1]
    for bound in reversed(re.findall(r"\[(.*?)\]", found[2].split(", ")[0])):
        array = f"array<{array}, {bound}>"
    return array + " " + re.sub(r"\[.*?\]", "", found[2])


def as_constant(found):
    """What depends on a specialization constant is a member of each object, any other constant one of the class."""
    if varying & set(re.findall(r"\w+", found[2])):
        varying.add(found[1])
        return found[0]
    return f"static constexpr {found[0][6:]}"


def as_memory(found):
    """A buffer lies where memory[SET][BINDING] says. Without a name in the kernel its members are those of the kernel."""
    place, name, members, instance = f"memory[{found[1]}][{found[2]}]", *found.groups()[2:]
    if instance and "[];" in members:
        return found[0]
    if only := re.fullmatch(r"\{ (\w+) (\w+)\[\]; \}", members):
        return f"{only[1]} *{only[2]} = static_cast<{only[1]} *>({place});"
    at = f"*static_cast<{name} *>({place})"
    named = [f"{name} &{instance} = {at};"] if instance else [
        f"{array} &{member} = ({at}).{member};" for array, member in re.findall(r"(array<.*?>) (\w+);", members)]
    return " ".join([f"struct {name} {members};", *named])


def as_coroutines(text):
    """Functions that wait at a barrier, or call one that does, become coroutines, and these calls wait for them."""
    text = text.replace("barrier();", "co_await Barrier{this};")
    while found := re.search(r"^(\w+) (\w+)(\([^{]*\n\{(?:(?!^\}).)*?co_await.*?^\})", text, re.M | re.S):
        body = re.sub(r"\breturn\b", "co_return", found[3])
        text = text[:found.start()] + f"Coroutine<{found[1]}> {found[2]}{body}" + text[found.end():]
        text = re.sub(rf"(?<!> )\b{found[2]}\(", f"co_await {found[2]}(", text)
    return text


text = flatten(kernel)
structs = "|".join(re.findall(r"^struct (\w+)", text, re.M)) or "no_struct"
types = f"{structs}|(?:[iub]|i64)?vec[234]|float|u?int(?:64_t)?|bool"
text = re.sub(r"(?<![\w.])(\d+\.\d*(e[-+]?\d+)?|\d+e[-+]?\d+)", r"\1f", text)
text = re.sub(rf"^({types})\[(\w+)\] ", r"array<\1, \2> ", text, flags=re.M)  # what a function returns
text = in_braces(rf"\b({types})\[\w*\]\(|\b({structs})\(", text)
text = re.sub(rf"\b({types}) (\w+(?:\[[^]]+\])+(?:, \w+(?:\[[^]]+\])+)*)", as_array, text)
text = re.sub(r"(array<(\w+), \w+> \w+), (\w+ = )", r"\1; \2 \3", text)
text = re.sub(r"\b(?:in)?out (array<.*?>|\w+) (\w+[,)])", r"\1 &\2", text)
text = re.sub(r"(\S+)\.rgb = ([^;]+)", r"\1 = vec4(\2, \1.a)", text)
text = re.sub(r"(\S+)\.xyz = ([^;]+)", r"\1 = uvec4(\2, \1.w)", text)
text = re.sub(r"(\S+)\.yz = ([^;]+)", r"\1 = ivec3(\1.x, \2)", text)
text = re.sub(r"(\S+)\.rgb \+= ([^;]+)", r"\1 += vec4(\2, 0)", text)
text = re.sub(r"\bnot\(", "not_(", text)
text = re.sub(r"\.([xyzw]{2,4}|[rgba]{2,4})\b", r".\1()", text)
text = re.sub(r"^layout\(constant_id = (\w+)\) const (\w+) (\w+) =[^;]*;", r"const \2 \3 = \2(constants[\1]);", text, flags=re.M)
varying = {"constants"}
text = re.sub(r"^const [\w<>, ]+ (\w+) (=[^;]+;)", as_constant, text, flags=re.M)
text = re.sub(r"^layout\(set = (\w+), binding = (\w+).*\)(?:\s*//.*)*\s+(?:\w+ )?buffer (\w+) (\{[^}]*\}) ?(\w*);", as_memory, text,
              flags=re.M)
text = re.sub(r"layout\(.*?\)\s+(in;)?", "", text)
text = re.sub(r"^(?:uniform|(?:\w+ )?buffer) (\w+) \{", r"struct \1 {", text, flags=re.M)
text = re.sub(r"^( +\w+) (\w+)\[\];", r"\1 *\2;", text, flags=re.M)
text = re.sub(r"^(?:writeonly )?uniform ", "", text, flags=re.M)
text = re.sub(r"^shared ", "" if efforts else "static inline thread_local ", text, flags=re.M)

name = Path(output).stem
has = [e if e in efforts.split(";") else "none" for e in ["default", "fast", "high", "exhaustive", "live"]]
runs = ", ".join(f"run<Kernel<WEIR_ENCODE_EFFORT_{e.upper()}>>" if e != "none" else "nullptr" for e in has)
module = kernel.split("/")[0]
entry = f'extern "C" const kernel_by_effort {name} = {{{{{runs}}}}};'
if not efforts:
    text = as_coroutines(text)
    entry = f'extern "C" void {name}(const {module}_call *call) {{ run_{module}<Kernel<0>>(call); }}'
Path(output + ".d").write_text(f"{output}: {' '.join(files)}\n", encoding="utf-8")
Path(output).write_text("\n".join([
    '#include "tests/kernels/glsl.h"', *("#define " + define.replace("=", " ", 1) for define in defines),
    "namespace {", "template <uint WEIR_EFFORT> struct Kernel : Invocation {", "using Invocation::Invocation;",
    text, "};", "}", entry, ""]), encoding="utf-8")
