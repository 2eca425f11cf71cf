#include <sqlite3.h>

/* Variadic C functions do not import into Swift. */
static inline int csqlite_set_no_checkpoint_on_close(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Nothing that the schema of a file defines is run: "Defense Against The Dark Arts",
 * sqlite.org/security.html. Reads nothing of the file. */
static inline int csqlite_distrust_schema(sqlite3 *db) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    };
    for (unsigned index = 0; index < sizeof settings / sizeof *settings; index++) {
        int code = sqlite3_db_config(db, settings[index][0], settings[index][1], (int *)0);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}
