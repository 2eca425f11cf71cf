/* refd DATABASE PORT BUS|-
 *
 * The floor of the whole daemon: gpsd's JSON in, a window of 20 circles, a D-Bus signal out. It
 * stores nothing, tolerates no errors, and answers no calls. */
#include <poll.h>
#include <systemd/sd-bus.h>

#include "lines.h"
#include "window.h"

struct daemon {
    sd_bus *bus;
    struct window window;
    struct place centre;
    int inside_count;
    int64_t inside[WINDOW];
    long fixes, events;
};

static sd_bus *connect_to_bus(const char *address) {
    sd_bus *bus;
    if (sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, address) < 0 ||
        sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0)
        give_up(address);
    return bus;
}

static void announce(struct daemon *daemon, int64_t id, const char *what, struct place fix,
                     const char *time) {
    daemon->events++;
    if (!daemon->bus) return;
    sd_bus_emit_signal(daemon->bus, "/org/x/Fence", "org.x.Fence", what, "xsdd", id, time, fix.lat,
                       fix.lon);
    sd_bus_flush(daemon->bus);
}

static int is_among(const int64_t *ids, int count, int64_t id) {
    for (int i = 0; i < count; i++)
        if (ids[i] == id) return 1;
    return 0;
}

static void judge(struct daemon *daemon, struct place fix, const char *time) {
    struct window *window = &daemon->window;
    struct place centre = daemon->centre;
    daemon->fixes++;
    if (window->count == 0 ||
        haversine(fix.lat, fix.lon, centre.lat, centre.lon) >= safe_distance(window)) {
        centre_window(window, fix.lat, fix.lon);
        daemon->centre = fix;
    }
    int64_t here[WINDOW];
    int count = 0;
    for (int i = 0; i < window->count; i++) {
        const struct region *region = &window->regions[i];
        if (haversine(fix.lat, fix.lon, region->lat, region->lon) <= region->radius)
            here[count++] = region->id;
    }
    for (int i = 0; i < daemon->inside_count; i++)
        if (!is_among(here, count, daemon->inside[i]))
            announce(daemon, daemon->inside[i], "Exited", fix, time);
    for (int i = 0; i < count; i++)
        if (!is_among(daemon->inside, daemon->inside_count, here[i]))
            announce(daemon, here[i], "Entered", fix, time);
    memcpy(daemon->inside, here, sizeof here);
    daemon->inside_count = count;
}

static void take(struct daemon *daemon, const char *line) {
    if (!is_tpv(line) || number_of(line, "\"mode\":") < 2) return;
    struct place fix = {number_of(line, "\"lat\":"), number_of(line, "\"lon\":")};
    char time[32] = "";
    const char *found = strstr(line, "\"time\":\"");
    if (found) snprintf(time, sizeof time, "%.24s", found + 8);
    judge(daemon, fix, time);
}

int main(int count, char **words) {
    if (count < 4) return fprintf(stderr, "usage: refd DATABASE PORT BUS|-\n"), 2;
    static struct daemon daemon;
    static struct lines lines;
    open_window(&daemon.window, words[1]);
    if (strcmp(words[3], "-") != 0) daemon.bus = connect_to_bus(words[3]);
    lines.descriptor = connect_to_gpsd(words[2]);
    struct pollfd ready[2] = {
        {.fd = lines.descriptor, .events = POLLIN},
        {.fd = daemon.bus ? sd_bus_get_fd(daemon.bus) : -1, .events = POLLIN},
    };
    while (poll(ready, 2, -1) >= 0) {
        if (ready[1].revents)
            while (sd_bus_process(daemon.bus, NULL) > 0) continue;
        if (!ready[0].revents) continue;
        if (!read_more(&lines)) break;
        for (char *line; (line = next_line(&lines));) take(&daemon, line);
    }
    printf("fixes=%ld\nevents=%ld\n", daemon.fixes, daemon.events);
    return 0;
}
