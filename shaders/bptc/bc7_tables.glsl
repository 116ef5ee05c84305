// SPDX-License-Identifier: MIT
// Modes and partitions of BC7: Khronos Data Format Specification 1.3, chapter "BPTC".
//
// The includer declares
//   const uint NUM_INVOCATIONS; // invocations of a workgroup

// "Mode-dependent BPTC parameters": a hexadecimal digit for each mode, mode 0 lowest.
const uint NUM_SUBSETS = 0x21112323u;
const uint PARTITION_BITS = 0x60006664u;
const uint ROTATION_BITS = 0x00220000u;
const uint SELECTION_BITS = 0x00010000u;
const uint COLOR_BITS = 0x57757564u; // bits of an endpoint's R, G or B, without the p-bit
const uint ALPHA_BITS = 0x57860000u; // bits of an endpoint's A, without the p-bit
const uint P_BITS = 0x11001021u; // one of the P_ constants below, for each mode
const uint INDEX_BITS = 0x24222233u;
const uint INDEX2_BITS = 0x00230000u;

const uint P_NONE = 0u;
const uint P_EACH = 1u;   // each endpoint has one
const uint P_SHARED = 2u; // both endpoints of a subset share one
const uint P_ONE = 3u;    // each endpoint has one, and both must be 1, so that alpha is 255

uint digit(uint digits, uint i)
{
    return digits >> 4u * i & 15u;
}

// "Partition table for 2-subset BPTC": the texels of the second subset, a bit each, texel 0 lowest,
// and above them the number of its anchor.
const uint PAIRS[64] = uint[64](
    0xfccccu, 0xf8888u, 0xfeeeeu, 0xfecc8u, 0xfc880u, 0xffeecu, 0xffec8u, 0xfec80u,
    0xfc800u, 0xfffecu, 0xffe80u, 0xfe800u, 0xfffe8u, 0xfff00u, 0xffff0u, 0xff000u,
    0xff710u, 0x2008eu, 0x87100u, 0x208ceu, 0x2008cu, 0x87310u, 0x83100u, 0xf8cceu,
    0x2088cu, 0x83110u, 0x26666u, 0x2366cu, 0x817e8u, 0x80ff0u, 0x2718eu, 0x2399cu,
    0xfaaaau, 0xff0f0u, 0x65a5au, 0x833ccu, 0x23c3cu, 0x855aau, 0xf9696u, 0xfa55au,
    0x273ceu, 0x813c8u, 0x2324cu, 0x23bdcu, 0x26996u, 0xfc33cu, 0xf9966u, 0x60660u,
    0x60272u, 0x204e4u, 0x64e40u, 0x82720u, 0xfc936u, 0xf936cu, 0x239c6u, 0x2639cu,
    0xf9336u, 0xf9cc6u, 0xf817eu, 0xfe718u, 0xfccf0u, 0x20fccu, 0x27744u, 0xfee22u);

// "Partition table for 3-subset BPTC": the texels of the second subset, and above these those of
// the third.
const uint TRIPLES[64] = uint[64](
    0xf60008ccu, 0x73008cc8u, 0x3310cc80u, 0x00ceec00u, 0xcc003300u, 0xcc0000ccu, 0x00ccff00u,
    0x3300ccccu, 0xf0000f00u, 0xf0000ff0u, 0xff0000f0u, 0x88884444u, 0x88886666u, 0xcccc2222u,
    0xec80136cu, 0x7310008cu, 0xc80036c8u, 0x310008ceu, 0xccc03330u, 0x0cccf000u, 0xee0000eeu,
    0x77008888u, 0xcc0022c0u, 0x33004430u, 0x00cc0c22u, 0xfc880344u, 0x06606996u, 0x66009960u,
    0xc88c0330u, 0xf9000066u, 0x0cc0c22cu, 0x73108c00u, 0xec801300u, 0x08cec400u, 0xec80004cu,
    0x44442222u, 0x0f0000f0u, 0x49242492u, 0x42942942u, 0x0c30c30cu, 0x03c0c03cu, 0xff0000aau,
    0x5500aa00u, 0xcccc3030u, 0x0c0cc0c0u, 0x66669090u, 0x0ff0a00au, 0x5550aaa0u, 0xf0000aaau,
    0x0e0ee0e0u, 0x88887070u, 0x99906660u, 0xe00e0ee0u, 0x88880770u, 0xf0000666u, 0x99006600u,
    0xff000066u, 0xc00c0cc0u, 0xcccc0330u, 0x90006000u, 0x08088080u, 0xeeee1010u, 0xfff0000au,
    0x731008ceu);

// "BPTC anchor index values" of these partitions: 8 bits each, the second subset's anchor and above
// it the third's.
const uint TRIPLE_ANCHORS[16] = uint[16](0x3f8f83f3u, 0x8f3ff3f8u, 0xf6f6f8f8u, 0x83f3f5f6u,
                                         0x3ff883f3u, 0x8af683f3u, 0xa668f835u, 0x8faff5f8u,
                                         0xa5f33ff8u, 0xaf988aa6u, 0xf58ff36fu, 0x8f6f6f3fu,
                                         0xf5f53ff3u, 0xfaf5f8f5u, 0xfdf8faf5u, 0x83f3fc3fu);

// The same tables in shared memory. Drivers copy a constant table to each place that indexes it.
shared uint pairs[64];
shared uint triples[64];
shared uint triple_anchors[16];

// Copy the tables to shared memory. All invocations call it, and then barrier().
void share_tables()
{
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 64u; i += NUM_INVOCATIONS) {
        pairs[i] = PAIRS[i];
        triples[i] = TRIPLES[i];
    }
    if (gl_LocalInvocationIndex < 16u) {
        triple_anchors[gl_LocalInvocationIndex] = TRIPLE_ANCHORS[gl_LocalInvocationIndex];
    }
}

// Get the texels of a subset, a bit each.
uint subset_of(uint num_subsets, uint partition_index, uint subset)
{
    if (num_subsets == 1u) {
        return 0xffffu;
    }
    const uint entry = num_subsets == 2u ? pairs[partition_index] & 0xffffu
                                         : triples[partition_index];
    const uint second = entry & 0xffffu;
    const uint third = entry >> 16;
    return subset == 0u ? 0xffffu & ~(second | third) : subset == 1u ? second : third;
}

// Get the anchor of a subset: the texel whose index is stored without its highest bit.
uint anchor_of(uint num_subsets, uint partition_index, uint subset)
{
    if (subset == 0u) {
        return 0u;
    }
    if (num_subsets == 2u) {
        return pairs[partition_index] >> 16;
    }
    const uint anchors = triple_anchors[partition_index >> 2] >> 8u * (partition_index & 3u);
    return anchors >> 4u * (subset - 1u) & 15u;
}
