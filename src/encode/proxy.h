// SPDX-License-Identifier: MIT
// The proxy of an encode: a small picture of its source, which the kernel writes on its way.
#ifndef WEIR_ENCODE_PROXY_H
#define WEIR_ENCODE_PROXY_H

#include <weir/encode.h>

// Check what the encoder's params say of proxies.
enum weir_result weir_encoder_check_proxy(const weir_encoder *encoder);

// Set what an encoder whose params are right writes as a proxy, and the level where it is left out.
void weir_encoder_resolve_proxy(weir_encoder *encoder);

// Check that an encode has the proxy that its encoder needs.
enum weir_result weir_encode_check_proxy(const weir_encoder *encoder,
                                         const struct weir_encode *encode);

#endif
