// SPDX-License-Identifier: MIT
// The scene: a knot in a pool of waves, balls and rings around it, a display behind it, and lamps
// around all of it where it is dark.
#include "scene.h"

#include <math.h>
#include <string.h>

static const float two_pi = 6.28318531f;

static void begin_draw(struct scene *scene, enum mesh_kind mesh, enum pattern pattern)
{
    scene->draws[scene->num_draws++] = (struct draw){mesh, pattern, scene->num_instances, 0};
}

static void add_shining(struct scene *scene, struct mat4 model, struct vec3 color, float roughness,
                        float metal, float glow)
{
    scene->instances[scene->num_instances++] = (struct instance){
        .model = model,
        .color = {color.x, color.y, color.z},
        .roughness = roughness,
        .metal = metal,
        .glow = glow};
    ++scene->draws[scene->num_draws - 1].num_instances;
}

static void add(struct scene *scene, struct mat4 model, struct vec3 color, float roughness,
                float metal)
{
    add_shining(scene, model, color, roughness, metal, 0.0f);
}

static struct vec3 orbit(float radius, float height, float angle)
{
    return (struct vec3){radius * sinf(angle), height, radius * cosf(angle)};
}

static struct vec3 uniform(float s)
{
    return (struct vec3){s, s, s};
}

static void add_knot(struct scene *scene, float t)
{
    begin_draw(scene, MESH_KNOT, PATTERN_STRIPES);
    add(scene,
        mat4_place((struct vec3){0, 1.72f, 0}, uniform(0.74f), 0.5f * t - 0.95f,
                   0.35f * sinf(0.6f * t)),
        (struct vec3){0.95f, 0.42f, 0.20f}, 0.24f, 1.0f);
}

static void add_rings(struct scene *scene, float t)
{
    static const struct vec3 tubes[3] = {
        {0.10f, 0.75f, 1.0f}, {1.0f, 0.16f, 0.50f}, {1.0f, 0.50f, 0.10f}};
    const float lamplight = scene->light.lamplight;
    begin_draw(scene, MESH_RING, PATTERN_PLAIN);
    for (int i = 0; i < 3; ++i) {
        const float turn = t * (0.45f + 0.13f * (float)i) + 1.1f * (float)i;
        const struct mat4 model = mat4_place((struct vec3){0, 1.72f, 0},
                                             uniform(1.38f + 0.07f * (float)i), turn,
                                             0.9f + 0.7f * turn);
        if (lamplight > 0.0f) {
            add_shining(scene, model, tubes[i], 0.5f, 0.0f, 4.0f * lamplight);
        } else {
            add(scene, model, (struct vec3){0.92f, 0.87f, 0.74f}, 0.3f, 1.0f);
        }
    }
}

static void add_balls(struct scene *scene, float t)
{
    static const struct {
        struct vec3 color;
        float radius, roughness, metal;
    } balls[SCENE_NUM_BLOBS - 1] = {
        {{0.93f, 0.93f, 0.95f}, 0.40f, 0.05f, 1.0f}, {{0.90f, 0.16f, 0.10f}, 0.30f, 0.25f, 0.0f},
        {{0.98f, 0.72f, 0.20f}, 0.22f, 0.30f, 0.0f}, {{0.92f, 0.91f, 0.88f}, 0.34f, 0.45f, 0.0f},
        {{0.06f, 0.40f, 0.48f}, 0.26f, 0.18f, 0.0f},
    };
    begin_draw(scene, MESH_SPHERE, PATTERN_PLAIN);
    for (int i = 0; i < SCENE_NUM_BLOBS - 1; ++i) {
        float phase = (float)i * two_pi / (SCENE_NUM_BLOBS - 1);
        float bounce = fabsf(sinf(1.4f * t + 1.7f * phase));
        struct vec3 at = orbit(2.35f, balls[i].radius + 0.42f + 0.55f * bounce,
                               0.42f * t + phase - 1.55f);
        add(scene, mat4_place(at, uniform(balls[i].radius), 0, 0), balls[i].color,
            balls[i].roughness, balls[i].metal);
        memcpy(scene->view.blobs[i], (float[4]){at.x, at.y, at.z, balls[i].radius},
               sizeof(scene->view.blobs[i]));
    }
    memcpy(scene->view.blobs[SCENE_NUM_BLOBS - 1], (float[4]){0, 1.72f, 0, 0.95f},
           sizeof(scene->view.blobs[0]));
}

// Get the colour of a wave: deep water, turquoise, or foam on the crests.
static struct vec3 wave_color(float wave)
{
    struct vec3 deep = {0.006f, 0.040f, 0.130f}, light = {0.04f, 0.42f, 0.46f};
    struct vec3 foam = {0.66f, 0.78f, 0.74f};
    float crest = fminf(1.0f, fmaxf(0.0f, 5.0f * (wave - 0.76f)));
    struct vec3 water = vec3_add(vec3_scale(deep, 1.0f - wave), vec3_scale(light, wave * wave));
    return vec3_add(vec3_scale(water, 1.0f - crest), vec3_scale(foam, crest));
}

// The stream: a disc of small blocks that rise and fall with two travelling waves.
static void add_waves(struct scene *scene, float t)
{
    const int reach = 12;
    const float pitch = 0.27f;
    begin_draw(scene, MESH_BOX, PATTERN_WAVES);
    for (int j = -reach; j <= reach; ++j) {
        for (int i = -reach; i <= reach; ++i) {
            float x = pitch * (float)i, z = pitch * (float)j, r = sqrtf(x * x + z * z);
            if (r > pitch * ((float)reach + 0.4f)) {
                continue;
            }
            float wave = 0.5f + 0.30f * sinf(2.6f * r - 2.6f * t) +
                         0.20f * sinf(1.9f * x + 1.3f * t);
            float edge = 1.0f - r / (pitch * ((float)reach + 1.5f));
            float h = (0.04f + 0.46f * wave) * fminf(1.0f, 3.0f * edge);
            struct vec3 color = wave_color(wave);
            add(scene,
                mat4_place((struct vec3){x, 0.5f * h, z},
                           (struct vec3){0.42f * pitch, 0.5f * h, 0.42f * pitch}, 0, 0),
                color, 0.75f, 0.0f);
        }
    }
}

static void add_display(struct scene *scene, float azimuth)
{
    begin_draw(scene, MESH_BOX, PATTERN_DISPLAY);
    add(scene,
        mat4_place(orbit(4.1f, 1.02f, azimuth + 2.35f), (struct vec3){1.28f, 0.8f, 0.04f},
                   azimuth - 0.16f, 0),
        (struct vec3){0.02f, 0.024f, 0.03f}, 0.25f, 0.0f);
}

// Lanterns that float at every distance, on a spiral of golden angles: in front of what the camera
// looks at and far behind it, but not on the camera's own way.
static void add_lamps(struct scene *scene, float t)
{
    static const struct vec3 colors[5] = {{1.0f, 0.42f, 0.10f},
                                          {1.0f, 0.22f, 0.08f},
                                          {1.0f, 0.68f, 0.30f},
                                          {0.16f, 0.52f, 1.0f},
                                          {1.0f, 0.20f, 0.48f}};
    const float golden_angle = 2.39996323f;
    if (scene->light.lamplight == 0.0f) {
        return;
    }
    begin_draw(scene, MESH_BEAD, PATTERN_PLAIN);
    for (int i = 0; i < 56; ++i) {
        const float f = (float)i;
        const float radius = i < 10 ? 4.4f + 0.20f * f : 10.5f + 0.42f * (f - 10.0f);
        const float height = 0.35f + 2.4f * fabsf(sinf(1.7f * f)) + 0.12f * sinf(0.8f * t + f);
        const float size = 0.035f + 0.035f * fabsf(sinf(5.1f * f)) + 0.0022f * radius;
        add_shining(scene, mat4_place(orbit(radius, height, golden_angle * f), uniform(size), 0, 0),
                    colors[i % 5], 0.5f, 0.0f, 12.0f * scene->light.lamplight);
    }
}

static void store(float out[4], struct vec3 v, float w)
{
    memcpy(out, (float[4]){v.x, v.y, v.z, w}, 4 * sizeof(*out));
}

static void set_camera(struct view *view, struct vec3 eye, struct vec3 target, float aspect)
{
    // The picture shows at least this much both ways, so that a narrow window cuts nothing off.
    float tan_y = 0.31f / fminf(1.0f, aspect / 1.5f), tan_x = tan_y * aspect;
    const struct camera camera = camera_toward(eye, vec3_normalize(vec3_sub(target, eye)));
    struct mat4 world_to_camera = mat4_view(&camera);
    struct mat4 projection = mat4_perspective(tan_x, tan_y, SCENE_NEAR, SCENE_FAR);
    view->view_projection = mat4_mul(&projection, &world_to_camera);
    store(view->eye, eye, 1);
    store(view->right, vec3_scale(camera.right, tan_x), 0);
    store(view->up, vec3_scale(camera.up, tan_y), 0);
    store(view->forward, camera.forward, 0);
}

static void set_sun(struct view *view, struct vec3 sun)
{
    const struct vec3 eye = vec3_add(vec3_scale(sun, 10.0f), (struct vec3){0, 0.9f, 0});
    const struct camera light = camera_toward(eye, vec3_scale(sun, -1.0f));
    struct mat4 world_to_light = mat4_view(&light);
    struct mat4 projection = mat4_orthographic(5.2f, 1.0f, 20.0f);
    view->light_view_projection = mat4_mul(&projection, &world_to_light);
    store(view->sun, sun, 0);
    store(view->glow, vec3_normalize((struct vec3){sun.x, 0.22f * sun.y, sun.z}), 0);
}

void scene_set(struct scene *scene, double seconds, uint64_t number, float aspect)
{
    // The time wraps after 68 minutes, while a float still holds a sixtieth of a second well.
    float t = (float)fmod(seconds, 4096.0);
    float azimuth = 0.55f + 0.14f * t;
    scene->num_instances = 0;
    scene->num_draws = 0;
    scene->view.seconds = t;
    scene->view.number = (uint32_t)(number % 1000000);
    scene->view.daylight = scene->light.daylight;
    scene->view.lamplight = scene->light.lamplight;
    set_camera(&scene->view, orbit(8.6f, 2.45f + 0.3f * sinf(0.5f * t), azimuth),
               (struct vec3){0, 1.30f, 0}, aspect);
    set_sun(&scene->view, vec3_normalize((struct vec3){-0.65f, 0.60f, 0.42f}));
    add_knot(scene, t);
    add_rings(scene, t);
    add_balls(scene, t);
    if (!scene->light.no_pool) {
        add_waves(scene, t);
    }
    add_display(scene, azimuth);
    add_lamps(scene, t);
}
