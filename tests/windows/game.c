// SPDX-License-Identifier: MIT
// A program for Windows that presents frames by Direct3D 9 or 11: game.exe 9|11 FRAMES. Frame i has
// the colour (4 i, 128, 255 - 4 i).
#define COBJMACROS
#include <stdlib.h>

#include <windows.h>

#include <d3d11.h>
#include <d3d9.h>

static HWND open_window(void)
{
    const WNDCLASSA class = {.lpfnWndProc = DefWindowProcA, .lpszClassName = "game"};
    RegisterClassA(&class);
    return CreateWindowA("game", "game", WS_POPUP | WS_VISIBLE, 0, 0, 320, 180, NULL, NULL, NULL,
                         NULL);
}

static void answer_messages(void)
{
    MSG message;
    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE)) {
        DispatchMessageA(&message);
    }
    Sleep(15);
}

static int run_9(HWND window, int num)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DDevice9 *device = NULL;
    D3DPRESENT_PARAMETERS params = {.BackBufferWidth = 320,
                                    .BackBufferHeight = 180,
                                    .BackBufferFormat = D3DFMT_X8R8G8B8,
                                    .SwapEffect = D3DSWAPEFFECT_DISCARD,
                                    .hDeviceWindow = window,
                                    .Windowed = TRUE};
    if (!d3d ||
        FAILED(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, window,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &params, &device))) {
        return 1;
    }
    for (int i = 0; i < num; i++) {
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET,
                               D3DCOLOR_XRGB(4 * i, 128, 255 - 4 * i), 1, 0);
        IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
        answer_messages();
    }
    IDirect3DDevice9_Release(device);
    return 0;
}

static int run_11(HWND window, int num)
{
    DXGI_SWAP_CHAIN_DESC params = {
        .BufferDesc = {.Width = 320, .Height = 180, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc.Count = 1,
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 1,
        .OutputWindow = window,
        .Windowed = TRUE};
    IDXGISwapChain *swapchain;
    ID3D11Device *device;
    ID3D11DeviceContext *context;
    ID3D11Texture2D *texture;
    ID3D11RenderTargetView *view;
    if (FAILED(D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0,
                                             D3D11_SDK_VERSION, &params, &swapchain, &device, NULL,
                                             &context))) {
        return 1;
    }
    IDXGISwapChain_GetBuffer(swapchain, 0, &IID_ID3D11Texture2D, (void **)&texture);
    ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &view);
    for (int i = 0; i < num; i++) {
        const float color[4] = {(float)(4 * i) / 255, 0.5f, (float)(255 - 4 * i) / 255, 1};
        ID3D11DeviceContext_ClearRenderTargetView(context, view, color);
        IDXGISwapChain_Present(swapchain, 0, 0);
        answer_messages();
    }
    // A thread of Wine's presents, and ends with the process: until this returns, it has work left.
    ID3D11RenderTargetView_Release(view);
    ID3D11Texture2D_Release(texture);
    IDXGISwapChain_Release(swapchain);
    ID3D11DeviceContext_Release(context);
    ID3D11Device_Release(device);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    const HWND window = open_window();
    return atoi(argv[1]) == 9 ? run_9(window, atoi(argv[2])) : run_11(window, atoi(argv[2]));
}
