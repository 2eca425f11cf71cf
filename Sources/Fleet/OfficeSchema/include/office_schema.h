#ifndef GEOFENCED_OFFICE_SCHEMA_H
#define GEOFENCED_OFFICE_SCHEMA_H

/* What makes a new schema of an office; a zero is behind its end, and it lives as long as the program. */
const char *office_schema_sql(void);

#endif
