// SPDX-License-Identifier: MIT
// A city of boxes, and the camera that drives through its streets.
#include "hiz.h"

// Streets lie 60 m apart, in x and z alike, from 0 on, and are 14 m wide. A block between them has
// nine lots: houses, yards behind walls, and in its middle a yard that hardly anyone sees.
#define PITCH 60.0f
#define LOT 15.3f
// The most boxes of a block.
#define BLOCK 100

struct builder {
    struct box *boxes;
    uint32_t num, limit; // no box is added beyond the limit
    uint32_t random;
};

static float draw(struct builder *builder, float min, float max)
{
    uint32_t x = builder->random = builder->random * 747796405u + 2891336453u; // PCG
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return min + (max - min) * (float)(((x >> 22) ^ x) & 0xffffff) / 16777216.0f;
}

// A box that stands at (x, y, z) and has these sides.
static void add(struct builder *builder, enum box_kind kind, struct vec3 at, struct vec3 sides)
{
    const float seed = draw(builder, 0.0f, 65536.0f);
    if (builder->num == builder->limit) {
        return;
    }
    builder->boxes[builder->num++] = (struct box){
        {at.x, at.y + 0.5f * sides.y, at.z},
        kind,
        {0.5f * sides.x, 0.5f * sides.y, 0.5f * sides.z},
        (uint32_t)seed,
    };
}

// Up to three storeys of blocks, the upper ones narrower, and what stands on the roof.
static void add_house(struct builder *builder, float x, float z)
{
    const float tall = draw(builder, 0.0f, 1.0f), center = x * x + z * z;
    float height = 9.0f + draw(builder, 0.0f, 12.0f) +
                   95.0f * tall * tall * tall / (1.0f + center * 1e-5f);
    struct vec3 sides = {draw(builder, 11.5f, 14.8f), height, draw(builder, 11.5f, 14.8f)};
    float bottom = 0.0f;
    for (int i = 0; i < (height > 30.0f ? 3 : 1); ++i) {
        add(builder, BOX_HOUSE, (struct vec3){x, bottom, z}, sides);
        bottom += sides.y + 0.04f;
        const float narrower = draw(builder, 0.62f, 0.85f);
        sides = (struct vec3){sides.x * narrower, sides.y * draw(builder, 0.2f, 0.5f),
                              sides.z * narrower};
    }
    for (int i = -1; i <= 1; i += 2) {
        add(builder, BOX_PLAIN,
            (struct vec3){x + (float)i * 0.25f * sides.x, bottom, z + draw(builder, -1.0f, 1.0f)},
            (struct vec3){0.35f * sides.x, draw(builder, 0.8f, 2.6f), 0.3f * sides.z});
    }
}

// A wall around a lot, open at its corners.
static void add_wall(struct builder *builder, float x, float z)
{
    for (int i = -1; i <= 1; i += 2) {
        const float away = (float)i * 0.47f * LOT;
        add(builder, BOX_PLAIN, (struct vec3){x + away, 0, z}, (struct vec3){0.3f, 2.6f, 13.8f});
        add(builder, BOX_PLAIN, (struct vec3){x, 0, z + away}, (struct vec3){13.8f, 2.6f, 0.3f});
    }
}

// Lamps and parked cars along one edge of a block. (u, v) is the way out of the block.
static void add_street(struct builder *builder, float x, float z, float u, float v)
{
    for (float along = -15.0f; along <= 15.0f; along += 30.0f) {
        const struct vec3 at = {x + 24.4f * u + along * v, 0, z + 24.4f * v + along * u};
        const struct vec3 head = {at.x + 0.5f * u, 5.35f, at.z + 0.5f * v};
        add(builder, BOX_PLAIN, at, (struct vec3){0.14f, 5.3f, 0.14f});
        add(builder, BOX_LAMP, head,
            (struct vec3){0.3f + 0.9f * u * u, 0.12f, 0.3f + 0.9f * v * v});
    }
    for (float along = -20.0f; along < 21.0f; along += 5.7f) {
        if (draw(builder, 0.0f, 1.0f) > 0.4f) {
            continue;
        }
        const struct vec3 at = {x + 26.0f * u + along * v, 0.3f, z + 26.0f * v + along * u};
        const struct vec3 roof = {at.x, 0.99f, at.z};
        add(builder, BOX_CAR, at, (struct vec3){1.8f + 2.5f * v * v, 0.66f, 1.8f + 2.5f * u * u});
        add(builder, BOX_CAR, roof, (struct vec3){1.5f + 0.8f * v * v, 0.5f, 1.5f + 0.8f * u * u});
    }
}

// The rest of the block's boxes: crates, each in a cell of its own.
static void fill_yard(struct builder *builder, float x, float z)
{
    for (int i = 0; i < BLOCK && builder->num < builder->limit; ++i) {
        const float cell_x = (float)(i * 7 % 10) - 4.5f, cell_z = (float)(i / 10) - 4.5f;
        add(builder, BOX_PLAIN, (struct vec3){x + 1.3f * cell_x, 0, z + 1.3f * cell_z},
            (struct vec3){draw(builder, 0.5f, 1.2f), draw(builder, 0.4f, 1.9f),
                          draw(builder, 0.5f, 1.2f)});
    }
}

static void add_block(struct builder *builder, float x, float z)
{
    for (int lot = 0; lot < 9; ++lot) {
        const float lot_x = x + LOT * (float)(lot % 3 - 1), lot_z = z + LOT * (float)(lot / 3 - 1);
        if (lot == 4) {
            continue;
        }
        if (draw(builder, 0.0f, 1.0f) < 0.1f) {
            add_wall(builder, lot_x, lot_z);
        } else {
            add_house(builder, lot_x, lot_z);
        }
    }
    for (int i = -1; i <= 1; i += 2) {
        add_street(builder, x, z, (float)i, 0.0f);
        add_street(builder, x, z, 0.0f, (float)i);
    }
    fill_yard(builder, x, z);
}

void city_build(struct box *boxes, uint32_t num)
{
    const uint32_t side = (uint32_t)ceilf(sqrtf((float)num / BLOCK)), blocks = side * side;
    struct builder builder = {.boxes = boxes, .random = 7};
    for (uint32_t i = 0; i < blocks; ++i) {
        builder.limit = (uint32_t)((uint64_t)num * (i + 1) / blocks);
        // Even, so that streets and not blocks meet in the middle.
        const float half = (float)((side + 1) / 2);
        add_block(&builder, PITCH * ((float)(i % side) + 0.5f - half),
                  PITCH * ((float)(i / side) + 0.5f - half));
    }
    boxes[num] = (struct box){{0, -0.5f, 0}, BOX_GROUND, {2500, 0.5f, 2500}, 0};
}

// The place after `s` metres of the way: around a square of four by four blocks, its corners round.
static struct vec3 place(float s)
{
    const float straight = 4.0f * PITCH - 14.0f, curve = 11.0f; // a quarter of a circle of 7 m
    const float lap = 4.0f * (straight + curve);
    s = fmodf(s, lap);
    const int edge = (int)(s / (straight + curve));
    s -= (float)edge * (straight + curve);
    float x = 0.5f * straight + 7.0f, z = s - 0.5f * straight;
    if (s > straight) {
        const float angle = (s - straight) / curve * 1.5707963f;
        x += 7.0f * (cosf(angle) - 1.0f);
        z = 0.5f * straight + 7.0f * sinf(angle);
    }
    for (int i = 0; i < edge; ++i) { // a quarter turn each
        const float turned = -z;
        z = x;
        x = turned;
    }
    return (struct vec3){x, 0, z};
}

static struct camera look(struct vec3 eye, struct vec3 at)
{
    return camera_toward(eye, vec3_normalize(vec3_sub(at, eye)));
}

struct camera city_drive(double seconds)
{
    const float s = 167.8f + 11.0f * (float)seconds, height = 5.0f + 2.5f * sinf(0.021f * s);
    struct vec3 eye = place(s), at = place(s + 18.0f);
    eye.y = height;
    at.y = height + 1.6f;
    return look(eye, at);
}

struct camera city_above(const struct camera *camera)
{
    const struct vec3 ahead = {camera->forward.x, 0, camera->forward.z};
    const struct vec3 eye = vec3_add(camera->eye, vec3_scale(ahead, -70.0f));
    return look(vec3_add(eye, (struct vec3){0, 130, 0}),
                vec3_add(camera->eye, vec3_scale(ahead, 70.0f)));
}

void city_angles(uint32_t width, uint32_t height, float tangents[2])
{
    tangents[1] = 0.58f;
    tangents[0] = tangents[1] * (float)width / (float)height;
}

struct mat4 city_clip(const struct camera *camera, uint32_t width, uint32_t height)
{
    float tangents[2];
    city_angles(width, height, tangents);
    const struct mat4 view = mat4_view(camera);
    // Exchanged planes reverse the depth.
    const struct mat4 project = mat4_perspective(tangents[0], tangents[1], CITY_FAR, CITY_NEAR);
    return mat4_mul(&project, &view);
}
