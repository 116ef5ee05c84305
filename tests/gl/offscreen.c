// SPDX-License-Identifier: MIT
// A surfaceless EGL context, and a compute shader that fetches every texel of an image.
#include "tests/gl/offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include "tests/expect.h"

#define FUNCTIONS(X)                                                                               \
    X(ATTACHSHADER, AttachShader)                                                                  \
    X(BINDBUFFERBASE, BindBufferBase)                                                              \
    X(BINDTEXTURE, BindTexture)                                                                    \
    X(BUFFERDATA, BufferData)                                                                      \
    X(COMPILESHADER, CompileShader)                                                                \
    X(COMPRESSEDTEXIMAGE2D, CompressedTexImage2D)                                                  \
    X(CREATEPROGRAM, CreateProgram)                                                                \
    X(CREATESHADER, CreateShader)                                                                  \
    X(DELETEBUFFERS, DeleteBuffers)                                                                \
    X(DELETEPROGRAM, DeleteProgram)                                                                \
    X(DELETESHADER, DeleteShader)                                                                  \
    X(DELETETEXTURES, DeleteTextures)                                                              \
    X(DISPATCHCOMPUTE, DispatchCompute)                                                            \
    X(GENBUFFERS, GenBuffers)                                                                      \
    X(GENTEXTURES, GenTextures)                                                                    \
    X(GETBUFFERSUBDATA, GetBufferSubData)                                                          \
    X(GETERROR, GetError)                                                                          \
    X(GETPROGRAMIV, GetProgramiv)                                                                  \
    X(GETSTRING, GetString)                                                                        \
    X(LINKPROGRAM, LinkProgram)                                                                    \
    X(MEMORYBARRIER, MemoryBarrier)                                                                \
    X(SHADERSOURCE, ShaderSource)                                                                  \
    X(TEXPARAMETERI, TexParameteri)                                                                \
    X(USEPROGRAM, UseProgram)

#define MEMBER(type, name) PFNGL##type##PROC name;
static struct {
    FUNCTIONS(MEMBER)
} gl;

static EGLDisplay display = EGL_NO_DISPLAY;
static EGLContext context = EGL_NO_CONTEXT;
static GLuint program;

static const char *const source =
    "#version 430\n"
    "layout(local_size_x = 8, local_size_y = 8) in;\n"
    "layout(std430, binding = 0) writeonly buffer Texels { vec4 texels[]; };\n"
    "layout(binding = 0) uniform sampler2D image;\n"
    "void main() {\n"
    "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "    texels[at.y * textureSize(image, 0).x + at.x] = texelFetch(image, at, 0);\n"
    "}\n";

static void load_functions(void)
{
#define LOAD(type, name)                                                                           \
    gl.name = (PFNGL##type##PROC)eglGetProcAddress("gl" #name);                                    \
    if (!gl.name)                                                                                  \
        test_skip("no function gl" #name);
    FUNCTIONS(LOAD)
}

static void create_program(void)
{
    const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER);
    gl.ShaderSource(shader, 1, &source, NULL);
    gl.CompileShader(shader);
    program = gl.CreateProgram();
    gl.AttachShader(program, shader);
    gl.LinkProgram(program);
    gl.DeleteShader(shader);
    GLint is_linked = GL_FALSE;
    gl.GetProgramiv(program, GL_LINK_STATUS, &is_linked);
    test_must(is_linked, "the compute shader does not link");
    gl.UseProgram(program);
}

void offscreen_init(void)
{
    // The bounds of the comparisons were found for this renderer.
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !strstr(extensions, "EGL_MESA_platform_surfaceless")) {
        test_skip("EGL has no surfaceless display (install libegl1)");
    }
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        test_skip("the surfaceless display does not open (install libgl1-mesa-dri)");
    }
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        3,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};
    if (eglBindAPI(EGL_OPENGL_API)) {
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    }
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        test_skip("no OpenGL 4.3 without a window");
    }
    load_functions();
    printf("OpenGL: %s, %s\n", (const char *)gl.GetString(GL_RENDERER),
           (const char *)gl.GetString(GL_VERSION));
    create_program();
}

void offscreen_finish(void)
{
    gl.DeleteProgram(program);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    // The display stays: eglTerminate() unloads Mesa's driver, and what that keeps until the
    // process ends would be a leak, of an unknown module, to the address sanitizer.
    eglDestroyContext(display, context);
}

bool offscreen_sample(uint32_t gl_format, uint32_t width, uint32_t height, const uint8_t *blocks,
                      size_t size, float (*texels)[4])
{
    const GLsizeiptr texels_size = (GLsizeiptr)(sizeof(*texels) * width * height);
    GLuint texture = 0, buffer = 0;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.CompressedTexImage2D(GL_TEXTURE_2D, 0, gl_format, (GLsizei)width, (GLsizei)height, 0,
                            (GLsizei)size, blocks);
    const GLenum error = gl.GetError();
    test_must(error == GL_NO_ERROR || error == GL_INVALID_ENUM, "glCompressedTexImage2D");
    if (error == GL_NO_ERROR) {
        gl.GenBuffers(1, &buffer);
        gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
        gl.BufferData(GL_SHADER_STORAGE_BUFFER, texels_size, NULL, GL_STREAM_READ);
        gl.DispatchCompute(width / 8, height / 8, 1);
        gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl.GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, texels_size, texels);
        test_must(gl.GetError() == GL_NO_ERROR, "sampling an image");
        gl.DeleteBuffers(1, &buffer);
    }
    gl.DeleteTextures(1, &texture);
    return error == GL_NO_ERROR;
}
