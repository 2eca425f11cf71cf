/* signals BUS refd|geofenced|geoclue
 *
 * Prints each signal of a monitor as it arrives: when that was by CLOCK_MONOTONIC, and the receiver
 * time of its fix. GeoClue signals only its clients, without naming the fix: for it this is a client,
 * and prints only the time of arrival. Ends when it is killed. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* refd: number of the fence, time as gpsd writes it, position. */
static int refd_signal(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    double arrival = now();
    int64_t fence;
    const char *time;
    if (sd_bus_message_read(message, "xs", &fence, &time) > 0)
        printf("%.7f %s\n", arrival, time);
    return 0;
}

/* geofenced: Transition(t seq, s fence, u kind, a{sv} details); of the details the time of the fix,
 * in microseconds since 1970. */
static int geofenced_signal(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    double arrival = now();
    uint64_t seq;
    const char *fence;
    uint32_t kind;
    if (sd_bus_message_read(message, "tsu", &seq, &fence, &kind) <= 0) return 0;
    if (sd_bus_message_enter_container(message, 'a', "{sv}") <= 0) return 0;
    while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
        const char *name;
        uint64_t time;
        if (sd_bus_message_read(message, "s", &name) <= 0) return 0;
        if (strcmp(name, "fix_time") == 0) {
            if (sd_bus_message_read(message, "v", "t", &time) > 0)
                printf("%.7f %" PRIu64 "\n", arrival, time);
            return 0;
        }
        if (sd_bus_message_skip(message, "v") < 0) return 0;
        if (sd_bus_message_exit_container(message) < 0) return 0;
    }
    return 0;
}

static int geoclue_signal(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)message, (void)data, (void)error;
    printf("%.7f\n", now());
    return 0;
}

#define GEOCLUE "org.freedesktop.GeoClue2"

static sd_bus *connect_to_bus(const char *address) {
    sd_bus *bus;
    if (sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, address) < 0 ||
        sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0) {
        fprintf(stderr, "signals: no bus at %s\n", address);
        exit(1);
    }
    return bus;
}

static void process(sd_bus *bus) {
    for (;;) {
        int worked = sd_bus_process(bus, NULL);
        if (worked < 0) exit(1);
        if (worked == 0 && sd_bus_wait(bus, UINT64_MAX) < 0) exit(1);
    }
}

static int authorize_app(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    return sd_bus_reply_method_return(message, "bu", 1, 8);
}

static int give_accuracy(sd_bus *bus, const char *path, const char *interface, const char *name,
                         sd_bus_message *reply, void *data, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)name, (void)data, (void)error;
    return sd_bus_message_append(reply, "u", 8);
}

static const sd_bus_vtable agent[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("AuthorizeApp", "su", "bu", authorize_app, 0),
    SD_BUS_PROPERTY("MaxAccuracyLevel", "u", give_accuracy, 0, 0),
    SD_BUS_VTABLE_END,
};

/* GeoClue gives no position without an agent that allows it for the user. */
static void be_agent_of_geoclue(const char *address) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sd_bus *bus = connect_to_bus(address);
    if (sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/GeoClue2/Agent", GEOCLUE ".Agent",
                                 agent, NULL) < 0 ||
        sd_bus_call_method_async(bus, NULL, GEOCLUE, "/org/freedesktop/GeoClue2/Manager",
                                 GEOCLUE ".Manager", "AddAgent", NULL, NULL, "s",
                                 "geoclue-demo-agent") < 0)
        exit(1);
    process(bus);
}

/* Asks for exact positions, as a component of the system. */
static int become_client_of_geoclue(sd_bus *bus, const char *address) {
    if (fork() == 0) be_agent_of_geoclue(address);
    sd_bus_message *reply;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const char *path;
    if (sd_bus_call_method(bus, GEOCLUE, "/org/freedesktop/GeoClue2/Manager", GEOCLUE ".Manager",
                           "GetClient", &error, &reply, "") < 0 ||
        sd_bus_message_read(reply, "o", &path) < 0 ||
        sd_bus_set_property(bus, GEOCLUE, path, GEOCLUE ".Client", "DesktopId", &error, "s",
                            "gnome-datetime-panel") < 0 ||
        sd_bus_set_property(bus, GEOCLUE, path, GEOCLUE ".Client", "RequestedAccuracyLevel",
                            &error, "u", 8) < 0 ||
        sd_bus_call_method(bus, GEOCLUE, path, GEOCLUE ".Client", "Start", &error, NULL, "") < 0) {
        fprintf(stderr, "signals: GeoClue: %s\n", error.message ? error.message : "no answer");
        return -1;
    }
    return sd_bus_match_signal(bus, NULL, GEOCLUE, path, GEOCLUE ".Client", "LocationUpdated",
                               geoclue_signal, NULL);
}

static int listen_to(sd_bus *bus, const char *address, const char *monitor) {
    if (strcmp(monitor, "geoclue") == 0) return become_client_of_geoclue(bus, address);
    if (strcmp(monitor, "refd") == 0)
        return sd_bus_match_signal(bus, NULL, NULL, NULL, "org.x.Fence", NULL, refd_signal, NULL);
    return sd_bus_match_signal(bus, NULL, NULL, NULL, "org.geofenced.Geofence1.Manager",
                               "Transition", geofenced_signal, NULL);
}

int main(int count, char **words) {
    if (count != 3) return fprintf(stderr, "usage: signals BUS refd|geofenced|geoclue\n"), 2;
    sd_bus *bus = connect_to_bus(words[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (listen_to(bus, words[1], words[2]) < 0)
        return fprintf(stderr, "signals: cannot listen\n"), 1;
    printf("listening\n");
    process(bus);
}
