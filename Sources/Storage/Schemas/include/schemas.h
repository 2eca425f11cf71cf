#ifndef GEOFENCED_STORE_SCHEMAS_H
#define GEOFENCED_STORE_SCHEMAS_H

#include <stddef.h>

/* A file that was compiled in, with a zero behind its end; its memory lives as long as the program. */
struct store_schema_file {
    const char *bytes;
    size_t length;
};

/* What makes a new file of the store. */
struct store_schema_file store_schema_events(void);
struct store_schema_file store_schema_catalogue(void);

/* What sqlite_schema has in such a file: of each row type, name, table and SQL, a line end behind each. */
struct store_schema_file store_schema_events_defined(void);
struct store_schema_file store_schema_catalogue_defined(void);

#endif
