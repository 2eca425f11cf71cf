#ifndef CTILES_H
#define CTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Raster tiles from an MBTiles file, which is an SQLite database: MBTiles 1.3, "Tiles".

typedef struct ctiles ctiles;

// Opens the file for reading; NULL if it cannot be, or has no tiles.
ctiles *ctiles_open(const char *path);

// The value of a name of the table `metadata`, which lasts until the next call; NULL without one.
const char *ctiles_metadata(ctiles *tiles, const char *name);

// The bytes of a tile, which last until the next call; NULL without it. Rows count from the
// south, as in the file.
const void *ctiles_read(ctiles *tiles, int32_t zoom, int32_t column, int32_t row, size_t *count);

// Whether the last answer was NULL because to find it would have taken too long.
bool ctiles_is_slow(const ctiles *tiles);

void ctiles_close(ctiles *tiles);

#endif
