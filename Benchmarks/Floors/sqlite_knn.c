/* sqlite_knn DATABASE box rand|drive COUNT
 *
 * The floor of the query for the nearest 20: its time anywhere on the continent, or at COUNT positions
 * of the drive. */
#include "window.h"

int main(int count, char **words) {
    if (count < 5) return fprintf(stderr, "usage: sqlite_knn DATABASE box rand|drive COUNT\n"), 2;
    struct window window;
    open_window(&window, words[1]);
    int anywhere = words[3][0] == 'r';
    size_t queries = (size_t)atol(words[4]), fixes;
    struct place *drive = read_drive(&fixes);
    double *latencies = malloc(queries * sizeof *latencies);
    if (!latencies) give_up("latencies");
    srand48(5);
    for (size_t i = 0; i < queries; i++) {
        struct place place = drive[i * fixes / queries];
        if (anywhere) {
            place = (struct place){26 + 22 * drand48(), -123 + 55 * drand48()};
            window.reach = 8000;
        }
        double begin = now();
        centre_window(&window, place.lat, place.lon);
        latencies[i] = now() - begin;
    }
    print_latencies("q", latencies, queries);
    return 0;
}
