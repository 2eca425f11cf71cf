#ifndef CTILES_H
#define CTILES_H

#include <stddef.h>
#include <stdint.h>

// Raster tiles from an MBTiles file, which is an SQLite database: MBTiles 1.3, "Tiles".

typedef struct ctiles ctiles;

// Opens the file for reading; NULL if it cannot be, or has no tiles.
ctiles *ctiles_open(const char *path);

// The value of a name of the table `metadata`, which lasts until the next call; NULL if there is none.
const char *ctiles_metadata(ctiles *tiles, const char *name);

// The bytes of a tile, which last until the next call; NULL if there is none. Rows count from the
// south, as in the file.
const void *ctiles_read(ctiles *tiles, int32_t zoom, int32_t column, int32_t row, size_t *count);

void ctiles_close(ctiles *tiles);

#endif
