/* sqlite_load DATABASE rand wal|off join
 *
 * All circles through INSERT, in input order: the database that the other floors query. */
#include "load.h"

int main(int count, char **words) {
    if (count < 4) return fprintf(stderr, "usage: sqlite_load DATABASE rand wal|off [join]\n"), 2;
    int in_wal = words[3][0] == 'w';
    size_t fences;
    struct circle *circles = read_circles(&fences);
    double begin = now();
    sqlite3 *database = create(words[1], in_wal);
    insert_rows(database, circles, fences);
    sqlite3_stmt *insert = prepare(database, "insert into rt values(?, ?, ?, ?, ?)");
    for (size_t i = 0; i < fences; i++) {
        struct circle circle = circles[i];
        struct place half = half_box(circle);
        sqlite3_bind_int64(insert, 1, (int64_t)i + 1);
        sqlite3_bind_double(insert, 2, circle.lat - half.lat);
        sqlite3_bind_double(insert, 3, circle.lat + half.lat);
        sqlite3_bind_double(insert, 4, circle.lon - half.lon);
        sqlite3_bind_double(insert, 5, circle.lon + half.lon);
        step(insert);
    }
    sqlite3_finalize(insert);
    commit(database, in_wal);
    printf("load_s=%.3f\ncpu_s=%.3f\n", now() - begin, processor_time());
    return 0;
}
