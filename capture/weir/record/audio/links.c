// SPDX-License-Identifier: MIT
// Links: from all that the recorded program plays to the stream that records it.
#include "capture/weir/record/audio/links.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/record/record.h"

enum side { SIDE_LEFT = 1, SIDE_RIGHT = 2 };

// An object of the graph: a client, a node that plays, or a port.
struct object {
    struct object *next;
    struct record_links *links;
    enum { CLIENT, NODE, PORT } kind;
    uint32_t id, owner;     // the owner of a node is its client, that of a port its node
    int64_t process;        // of a client or a node; 0 = it does not say
    bool is_input;          // of a port
    unsigned sides;         // of a port: of enum side
    struct pw_proxy *proxy; // of a node
    struct spa_hook listener;
};

struct link {
    struct link *next;
    struct record_links *links;
    uint32_t output, input; // ports
    struct pw_proxy *proxy;
    struct spa_hook listener;
};

struct record_links {
    const struct cli_pipewire *pipewire;
    struct pw_stream *stream;
    int64_t program; // its process
    struct pw_registry *registry;
    struct spa_hook listener;
    struct object *objects;
    struct link *made;
};

static int64_t number_of(const struct spa_dict *props, const char *name)
{
    const char *text = props ? spa_dict_lookup(props, name) : NULL;
    return text ? strtoll(text, NULL, 10) : 0;
}

static bool is_text(const struct spa_dict *props, const char *name, const char *wanted)
{
    const char *text = spa_dict_lookup(props, name);
    return text && strcmp(text, wanted) == 0;
}

static const struct object *find(const struct record_links *links, uint32_t id)
{
    const struct object *object = links->objects;
    while (object && object->id != id) {
        object = object->next;
    }
    return object;
}

// A program of the interface of PulseAudio has one client for all, and its nodes say who they are.
static bool is_recorded(const struct record_links *links, const struct object *node)
{
    const struct object *client = find(links, node->owner);
    return record_program_has(node->process, links->program) ||
           (client && client->kind == CLIENT &&
            record_program_has(client->process, links->program));
}

// Which sides of the movie a channel is heard on. Those in the middle are heard on both.
static unsigned sides_of(const char *channel)
{
    static const struct {
        const char *name;
        unsigned sides;
    } known[] = {
        {"FL", SIDE_LEFT},   {"FR", SIDE_RIGHT},   {"RL", SIDE_LEFT},  {"RR", SIDE_RIGHT},
        {"SL", SIDE_LEFT},   {"SR", SIDE_RIGHT},   {"FLC", SIDE_LEFT}, {"FRC", SIDE_RIGHT},
        {"AUX0", SIDE_LEFT}, {"AUX1", SIDE_RIGHT}, {"TFL", SIDE_LEFT}, {"TFR", SIDE_RIGHT},
        {"TRL", SIDE_LEFT},  {"TRR", SIDE_RIGHT},
    };
    for (size_t i = 0; channel && i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(channel, known[i].name) == 0) {
            return known[i].sides;
        }
    }
    return SIDE_LEFT | SIDE_RIGHT;
}

static void forget_link(struct link *link)
{
    struct link **at = &link->links->made;
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    spa_hook_remove(&link->listener);
    link->links->pipewire->proxy_destroy(link->proxy);
    free(link);
}

static void take_removed(void *data)
{
    forget_link(data);
}

// One of both ports has gone in the meantime.
static void take_error(void *data, int sequence, int result, const char *message)
{
    (void)sequence;
    (void)result;
    (void)message;
    forget_link(data);
}

static const struct pw_proxy_events link_events = {PW_VERSION_PROXY_EVENTS, .removed = take_removed,
                                                   .error = take_error};

static void make_link(struct record_links *links, const struct object *output,
                      const struct object *input)
{
    for (const struct link *link = links->made; link; link = link->next) {
        if (link->output == output->id && link->input == input->id) {
            return;
        }
    }
    char from[16], to[16];
    snprintf(from, sizeof(from), "%" PRIu32, output->id);
    snprintf(to, sizeof(to), "%" PRIu32, input->id);
    const struct spa_dict_item items[] = {{PW_KEY_LINK_OUTPUT_PORT, from},
                                          {PW_KEY_LINK_INPUT_PORT, to}};
    const struct spa_dict props = {.n_items = 2, .items = items};
    struct link *link = calloc(1, sizeof(*link));
    if (!link) {
        return;
    }
    link->links = links;
    link->output = output->id;
    link->input = input->id;
    link->proxy = pw_core_create_object(links->pipewire->core, "link-factory",
                                        PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &props, 0);
    if (!link->proxy) {
        free(link);
        return;
    }
    links->pipewire->proxy_add_listener(link->proxy, &link->listener, &link_events, link);
    link->next = links->made;
    links->made = link;
}

void record_links_update(struct record_links *links)
{
    const uint32_t node = links->stream ? links->pipewire->stream_get_node_id(links->stream)
                                        : PW_ID_ANY;
    for (const struct object *output = links->objects; output; output = output->next) {
        const struct object *from = output->kind == PORT && !output->is_input
                                        ? find(links, output->owner)
                                        : NULL;
        if (!from || from->kind != NODE || !is_recorded(links, from)) {
            continue;
        }
        for (const struct object *input = links->objects; input; input = input->next) {
            if (input->kind == PORT && input->is_input && input->owner == node &&
                (input->sides & output->sides) != 0) {
                make_link(links, output, input);
            }
        }
    }
}

static void take_info(void *data, const struct pw_node_info *info)
{
    struct object *node = data;
    if (info->props) {
        node->process = number_of(info->props, PW_KEY_APP_PROCESS_ID);
        record_links_update(node->links);
    }
}

static const struct pw_node_events node_events = {PW_VERSION_NODE_EVENTS, .info = take_info};

static struct object *add(struct record_links *links, uint32_t id)
{
    struct object *object = calloc(1, sizeof(*object));
    if (object) {
        object->links = links;
        object->id = id;
        object->next = links->objects;
        links->objects = object;
    }
    return object;
}

static void add_client(struct record_links *links, uint32_t id, const struct spa_dict *props)
{
    struct object *client = add(links, id);
    if (client) {
        client->kind = CLIENT;
        client->process = number_of(props, PW_KEY_SEC_PID);
    }
}

static void add_node(struct record_links *links, uint32_t id, const struct spa_dict *props)
{
    struct object *node = add(links, id);
    if (!node) {
        return;
    }
    node->kind = NODE;
    node->owner = (uint32_t)number_of(props, PW_KEY_CLIENT_ID);
    node->proxy = pw_registry_bind(links->registry, id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
    if (node->proxy) {
        pw_node_add_listener((struct pw_node *)node->proxy, &node->listener, &node_events, node);
    }
}

static void add_port(struct record_links *links, uint32_t id, const struct spa_dict *props)
{
    struct object *port = add(links, id);
    if (port) {
        port->kind = PORT;
        port->owner = (uint32_t)number_of(props, PW_KEY_NODE_ID);
        port->is_input = is_text(props, PW_KEY_PORT_DIRECTION, "in");
        port->sides = sides_of(spa_dict_lookup(props, PW_KEY_AUDIO_CHANNEL));
    }
}

static void take_global(void *data, uint32_t id, uint32_t permissions, const char *type,
                        uint32_t version, const struct spa_dict *props)
{
    struct record_links *links = data;
    (void)permissions;
    (void)version;
    if (!props) {
        return;
    }
    if (strcmp(type, PW_TYPE_INTERFACE_Client) == 0) {
        add_client(links, id, props);
    } else if (strcmp(type, PW_TYPE_INTERFACE_Node) == 0 &&
               is_text(props, PW_KEY_MEDIA_CLASS, "Stream/Output/Audio")) {
        add_node(links, id, props);
    } else if (strcmp(type, PW_TYPE_INTERFACE_Port) == 0) {
        add_port(links, id, props);
    } else {
        return;
    }
    record_links_update(links);
}

static void destroy_object(struct record_links *links, struct object *object)
{
    if (object->proxy) {
        spa_hook_remove(&object->listener);
        links->pipewire->proxy_destroy(object->proxy);
    }
    free(object);
}

// Another port may have the number of one that has gone before a link to that is made.
static void forget_links_of(struct record_links *links, uint32_t port)
{
    struct link *link = links->made;
    while (link) {
        struct link *next = link->next;
        if (link->output == port || link->input == port) {
            forget_link(link);
        }
        link = next;
    }
}

static void take_global_remove(void *data, uint32_t id)
{
    struct record_links *links = data;
    struct object **at = &links->objects;
    while (*at && (*at)->id != id) {
        at = &(*at)->next;
    }
    if (*at) {
        struct object *object = *at;
        *at = object->next;
        forget_links_of(links, id);
        destroy_object(links, object);
    }
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = take_global, .global_remove = take_global_remove};

struct record_links *record_links_create(const struct cli_pipewire *pipewire,
                                         struct pw_stream *stream, int64_t program)
{
    struct record_links *links = calloc(1, sizeof(*links));
    if (!links) {
        return NULL;
    }
    links->pipewire = pipewire;
    links->stream = stream;
    links->program = program;
    links->registry = pw_core_get_registry(pipewire->core, PW_VERSION_REGISTRY, 0);
    if (!links->registry) {
        free(links);
        return NULL;
    }
    pw_registry_add_listener(links->registry, &links->listener, &registry_events, links);
    return links;
}

void record_links_destroy(struct record_links *links)
{
    if (!links) {
        return;
    }
    while (links->made) {
        forget_link(links->made);
    }
    while (links->objects) {
        struct object *next = links->objects->next;
        destroy_object(links, links->objects);
        links->objects = next;
    }
    spa_hook_remove(&links->listener);
    links->pipewire->proxy_destroy((struct pw_proxy *)links->registry);
    free(links);
}
