/* The schema of an office, in the constants of the program. The compiler notes it as a dependency. */
#include "office_schema.h"

/* #embed is C23, which Swift's compiler offers in every mode. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char office[] = {
#embed "office.sql"
    , 0};

const char *office_schema_sql(void) { return office; }
