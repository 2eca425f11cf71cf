/* The schemas of the store, in the constants of the program. The compiler notes them as dependencies. */
#include "schemas.h"

/* #embed is C23, which Swift's compiler offers in every mode. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char events[] = {
#embed "events.sql"
    , 0};
static const char catalogue[] = {
#embed "catalogue.sql"
    , 0};
static const char events_defined[] = {
#embed "events.defined"
    , 0};
static const char catalogue_defined[] = {
#embed "catalogue.defined"
    , 0};

#define FILE_OF(constant) ((struct store_schema_file){constant, sizeof constant - 1})

struct store_schema_file store_schema_events(void) { return FILE_OF(events); }
struct store_schema_file store_schema_catalogue(void) { return FILE_OF(catalogue); }
struct store_schema_file store_schema_events_defined(void) { return FILE_OF(events_defined); }
struct store_schema_file store_schema_catalogue_defined(void) { return FILE_OF(catalogue_defined); }
