#include "ctiles.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

/* Bytes of one tile; a larger one is not shown. */
#define LARGEST (1 << 20)
/* What one question may take, ms: a view may go on for ever, and a table without an index is read
   whole. Of the tiles of a view a browser asks for dozens. */
#define TILE_LIMIT 200
#define METADATA_LIMIT 1000
/* Instructions of SQLite between two looks at the clock. */
#define STEPS 1000

struct ctiles {
    sqlite3 *database;
    sqlite3_stmt *tile;
    sqlite3_stmt *metadata;
    /* When the question that is asked ends, ms of the monotonic clock. */
    int64_t deadline;
    bool is_slow;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void begin(ctiles *tiles, int64_t limit) {
    tiles->deadline = now() + limit;
    tiles->is_slow = false;
}

/* Not 0 interrupts the question. */
static int is_late(void *context) {
    ctiles *tiles = context;
    if (now() > tiles->deadline) tiles->is_slow = true;
    return tiles->is_slow;
}

void ctiles_close(ctiles *tiles) {
    if (!tiles) return;
    sqlite3_finalize(tiles->tile);
    sqlite3_finalize(tiles->metadata);
    sqlite3_close(tiles->database);
    free(tiles);
}

ctiles *ctiles_open(const char *path) {
    ctiles *tiles = calloc(1, sizeof *tiles);
    if (!tiles) return NULL;
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &tiles->database, flags, NULL) != SQLITE_OK) goto failed;
    /* The file is from elsewhere: "Defense Against The Dark Arts", sqlite.org/security.html. */
    sqlite3_db_config(tiles->database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(tiles->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_limit(tiles->database, SQLITE_LIMIT_LENGTH, 4 * LARGEST);
    begin(tiles, METADATA_LIMIT);
    sqlite3_progress_handler(tiles->database, STEPS, is_late, tiles);
    sqlite3_exec(tiles->database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
        "PRAGMA cache_size = -512", NULL, NULL, NULL);
    const char *tile = "SELECT tile_data FROM tiles"
        " WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3";
    if (sqlite3_prepare_v2(tiles->database, tile, -1, &tiles->tile, NULL) != SQLITE_OK) goto failed;
    const char *metadata = "SELECT value FROM metadata WHERE name = ?1";
    if (sqlite3_prepare_v2(tiles->database, metadata, -1, &tiles->metadata, NULL) != SQLITE_OK)
        goto failed;
    return tiles;
failed:
    ctiles_close(tiles);
    return NULL;
}

const char *ctiles_metadata(ctiles *tiles, const char *name) {
    begin(tiles, METADATA_LIMIT);
    sqlite3_reset(tiles->metadata);
    sqlite3_bind_text(tiles->metadata, 1, name, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(tiles->metadata) != SQLITE_ROW) return NULL;
    return (const char *)sqlite3_column_text(tiles->metadata, 0);
}

const void *ctiles_read(ctiles *tiles, int32_t zoom, int32_t column, int32_t row, size_t *count) {
    begin(tiles, TILE_LIMIT);
    sqlite3_reset(tiles->tile);
    sqlite3_bind_int(tiles->tile, 1, zoom);
    sqlite3_bind_int(tiles->tile, 2, column);
    sqlite3_bind_int(tiles->tile, 3, row);
    if (sqlite3_step(tiles->tile) != SQLITE_ROW) return NULL;
    const void *bytes = sqlite3_column_blob(tiles->tile, 0);
    int size = sqlite3_column_bytes(tiles->tile, 0);
    if (!bytes || size <= 0 || size > LARGEST) return NULL;
    *count = (size_t)size;
    return bytes;
}

bool ctiles_is_slow(const ctiles *tiles) { return tiles->is_slow; }
