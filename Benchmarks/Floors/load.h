/* Writing circles into SQLite: shared by the two loaders. */
#pragma once

#include <sqlite3.h>

#include "floor.h"

static inline void execute(sqlite3 *database, const char *sql) {
    char *error = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &error)) {
        fprintf(stderr, "%s: %s\n", sql, error);
        exit(1);
    }
}

static inline sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL)) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        exit(1);
    }
    return statement;
}

static inline void step(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(sqlite3_db_handle(statement)));
        exit(1);
    }
    sqlite3_reset(statement);
}

/* An empty database with the two tables, in a transaction. */
static inline sqlite3 *create(const char *path, int in_wal) {
    sqlite3 *database;
    char wal[512];
    snprintf(wal, sizeof wal, "%s-wal", path);
    remove(path);
    remove(wal);
    if (sqlite3_open(path, &database)) give_up(path);
    execute(database, in_wal ? "pragma journal_mode=wal" : "pragma journal_mode=off");
    execute(database, in_wal ? "pragma synchronous=normal" : "pragma synchronous=off");
    execute(database, "pragma cache_size=-65536");
    execute(database, "create virtual table rt using rtree(id, minlat, maxlat, minlon, maxlon)");
    execute(database,
            "create table fences(id integer primary key, lat real, lon real, radius real,"
            " name text)");
    execute(database, "begin");
    return database;
}

static inline void insert_rows(sqlite3 *database, const struct circle *circles, size_t count) {
    sqlite3_stmt *insert = prepare(database, "insert into fences values(?, ?, ?, ?, ?)");
    for (size_t i = 0; i < count; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "site-%zu", i + 1);
        sqlite3_bind_int64(insert, 1, (int64_t)i + 1);
        sqlite3_bind_double(insert, 2, circles[i].lat);
        sqlite3_bind_double(insert, 3, circles[i].lon);
        sqlite3_bind_double(insert, 4, circles[i].radius);
        sqlite3_bind_text(insert, 5, name, length, SQLITE_STATIC);
        step(insert);
    }
    sqlite3_finalize(insert);
}

/* Degrees from the centre to the sides of a circle's box. */
static inline struct place half_box(struct circle circle) {
    double lat = circle.radius / METRES_A_DEGREE;
    return (struct place){lat, lat / cos(circle.lat * RADIANS)};
}

static inline void commit(sqlite3 *database, int in_wal) {
    execute(database, "commit");
    if (in_wal) execute(database, "pragma wal_checkpoint(truncate)");
    if (sqlite3_close(database)) give_up("closing");
}
