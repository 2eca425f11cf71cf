/* The nearest 20 circles out of an SQLite R*Tree, found with a box that grows until it holds them:
 * the query of a window of fences. */
#pragma once

#include <sqlite3.h>

#include "floor.h"

#define WINDOW 20

struct region {
    /* Metres to the boundary, negative inside. */
    double distance;
    int64_t id;
    double lat, lon, radius;
};

struct window {
    sqlite3 *database;
    sqlite3_stmt *in_box;
    /* Half of the side of a box that is large enough, from the last one that was. */
    double reach;
    int count;
    struct region regions[WINDOW];
};

static inline void open_window(struct window *window, const char *path) {
    memset(window, 0, sizeof *window);
    window->reach = 2000;
    const char *query =
        "select f.id, f.lat, f.lon, f.radius from rt cross join fences f on f.id = rt.id"
        " where rt.maxlat >= ? and rt.minlat <= ? and rt.maxlon >= ? and rt.minlon <= ?";
    if (sqlite3_open_v2(path, &window->database, SQLITE_OPEN_READONLY, NULL) ||
        sqlite3_exec(window->database, "pragma cache_size=-16384", NULL, NULL, NULL) ||
        sqlite3_prepare_v2(window->database, query, -1, &window->in_box, NULL)) {
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(window->database));
        exit(1);
    }
}

/* Keeps the regions in order of distance. */
static inline void offer(struct window *window, struct region region) {
    int place = window->count;
    if (place == WINDOW) {
        if (region.distance >= window->regions[WINDOW - 1].distance) return;
        place--;
    } else {
        window->count++;
    }
    for (; place > 0 && window->regions[place - 1].distance > region.distance; place--)
        window->regions[place] = window->regions[place - 1];
    window->regions[place] = region;
}

static inline void look_into_box(struct window *window, double lat, double lon, double reach) {
    double north = reach / 111000, east = north / cos(lat * RADIANS) * 1.002;
    sqlite3_bind_double(window->in_box, 1, lat - north);
    sqlite3_bind_double(window->in_box, 2, lat + north);
    sqlite3_bind_double(window->in_box, 3, lon - east);
    sqlite3_bind_double(window->in_box, 4, lon + east);
    window->count = 0;
    while (sqlite3_step(window->in_box) == SQLITE_ROW) {
        struct region region = {
            .id = sqlite3_column_int64(window->in_box, 0),
            .lat = sqlite3_column_double(window->in_box, 1),
            .lon = sqlite3_column_double(window->in_box, 2),
            .radius = sqlite3_column_double(window->in_box, 3),
        };
        region.distance = haversine(lat, lon, region.lat, region.lon) - region.radius;
        offer(window, region);
    }
    sqlite3_reset(window->in_box);
}

static inline void centre_window(struct window *window, double lat, double lon) {
    double reach = window->reach;
    for (;;) {
        look_into_box(window, lat, lon, reach);
        double furthest = window->count == WINDOW ? window->regions[WINDOW - 1].distance : 1e9;
        if (furthest <= reach || reach > 5e6) {
            window->reach = fmax(furthest * 1.2, 200);
            return;
        }
        reach = furthest < reach * 4 ? furthest * 1.01 : reach * 2;
    }
}

/* The radius around the centre within which the window is known to be sufficient. */
static inline double safe_distance(const struct window *window) {
    return window->regions[window->count - 1].distance - 1;
}
