#ifndef GEOFENCED_CEXPAT_SHIM_H
#define GEOFENCED_CEXPAT_SHIM_H

#include <expat.h>
#include <stdint.h>

/* Since 2.9 expat counts in 64 bits on every machine, under names of their own, and calls the former
 * ones deprecated. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define GEOFENCED_EXPAT_COUNTER(name) name##64
#else
#define GEOFENCED_EXPAT_COUNTER(name) name
#endif

/* Where the parser stands, from 1. */
static inline uint64_t geofenced_expat_line(XML_Parser parser)
{
    return (uint64_t)GEOFENCED_EXPAT_COUNTER(XML_GetCurrentLineNumber)(parser);
}

/* The first byte of what the parser is at, from 0; -1 where it is at nothing. */
static inline int64_t geofenced_expat_byte(XML_Parser parser)
{
    return (int64_t)GEOFENCED_EXPAT_COUNTER(XML_GetCurrentByteIndex)(parser);
}

#endif
