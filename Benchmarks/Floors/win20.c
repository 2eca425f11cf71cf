/* win20 DATABASE PASSES box
 *
 * The floor of the engine: a window of 20 circles, and for each fix one haversine for each of them.
 * Its only state is which circles it is inside of: no error, no hysteresis, no path. */
#include "window.h"

struct inside {
    int count;
    int64_t ids[WINDOW];
};

static int holds(const struct inside *inside, int64_t id) {
    for (int i = 0; i < inside->count; i++)
        if (inside->ids[i] == id) return 1;
    return 0;
}

static size_t changes(const struct inside *before, const struct inside *after) {
    size_t count = 0;
    for (int i = 0; i < after->count; i++) count += !holds(before, after->ids[i]);
    for (int i = 0; i < before->count; i++) count += !holds(after, before->ids[i]);
    return count;
}

int main(int count, char **words) {
    if (count < 3) return fprintf(stderr, "usage: win20 DATABASE PASSES [box]\n"), 2;
    struct window window;
    open_window(&window, words[1]);
    int passes = atoi(words[2]);
    size_t fixes;
    struct place *drive = read_drive(&fixes);
    size_t room = fixes * (size_t)passes;
    double *latencies = malloc(room * sizeof *latencies);
    if (!latencies) give_up("latencies");

    struct inside inside = {0};
    struct place centre = {0};
    size_t events = 0, recentres = 0;
    double begin = now(), processor = processor_time();
    for (int pass = 0; pass < passes; pass++) {
        for (size_t i = 0; i < fixes; i++) {
            struct place fix = drive[i];
            if (window.count == 0 || haversine(fix.lat, fix.lon, centre.lat, centre.lon) >=
                                         safe_distance(&window)) {
                double asked = now();
                centre_window(&window, fix.lat, fix.lon);
                latencies[recentres++] = now() - asked;
                centre = fix;
            }
            struct inside here = {0};
            for (int k = 0; k < window.count; k++) {
                const struct region *region = &window.regions[k];
                if (haversine(fix.lat, fix.lon, region->lat, region->lon) <= region->radius)
                    here.ids[here.count++] = region->id;
            }
            events += changes(&inside, &here);
            inside = here;
        }
    }
    double seconds = now() - begin;
    printf("fixes_per_s=%.0f\nrecentres_per_pass=%.1f\nevents_per_pass=%.1f\ncpu_s=%.4f\n",
           (double)room / seconds, (double)recentres / passes, (double)events / passes,
           processor_time() - processor);
    print_latencies("recentre", latencies, recentres);
    return 0;
}
