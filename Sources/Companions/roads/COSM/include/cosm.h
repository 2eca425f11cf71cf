#ifndef COSM_H
#define COSM_H

#include <stddef.h>
#include <stdint.h>

// OpenStreetMap extracts through libosmium. No exception leaves these functions: they return 0, or
// -1 with the reason in `error`.

#ifdef __cplusplus
extern "C" {
#endif

// A tag with one of the keys asked for.
typedef struct {
    // Its place in the list of keys.
    int32_t key;
    // Terminated with 0, as long as the call lasts.
    const char *value;
} cosm_tag;

// A node or a way; what it points to lasts as long as the call.
typedef struct {
    int64_t id;
    // Seconds since 1970; 0: unknown.
    int64_t timestamp;
    uint32_t version;
    const cosm_tag *tags;
    size_t tag_count;
    // Of a way: the ids of its nodes. Of a node: NULL.
    const int64_t *nodes;
    size_t node_count;
    // Of a node: its place in the list of ids. Of a way: 0.
    size_t index;
} cosm_object;

// A turn restriction with one node between two ways.
typedef struct {
    int64_t id;
    // The value of `restriction`, or of `restriction:hgv`.
    const char *kind;
    // The value of `except`, or "".
    const char *except;
    int64_t from;
    int64_t via;
    int64_t to;
} cosm_restriction;

// What a pass over a file gives, and to whom.
typedef struct {
    void *context;
    const char *const *keys;
    size_t key_count;
    // The number of leading keys that count: ways without one of them are left out.
    size_t required;
    void (*object)(void *context, const cosm_object *object);
    void (*restriction)(void *context, const cosm_restriction *restriction);
    // The box of the file's header, degrees; not called if it has none.
    void (*box)(void *context, double west, double south, double east, double north);
    // Bytes of the file, as stored.
    void (*progress)(void *context, uint64_t done, uint64_t total);
} cosm_pass;

// The ways and turn restrictions of a file.
int cosm_read_ways(const char *path, const cosm_pass *pass, char *error, size_t error_size);

// The nodes with the given ids, in ascending order without duplicates: their positions, 1e-7
// degrees, are written where both are INT32_MAX; those with tags asked for are passed on.
int cosm_read_nodes(const char *path, const cosm_pass *pass, const int64_t *ids, size_t count,
                    int32_t *longitudes, int32_t *latitudes, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
