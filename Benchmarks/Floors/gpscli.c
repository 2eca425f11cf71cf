/* gpscli PORT raw|scan|lib COUNT IDLE
 *
 * The cost of receiving TPVs: recognising one (raw), extracting the needed numbers (scan), or parsing
 * all of it with libgps (lib). Ends after COUNT of them, or IDLE idle seconds. */
#include <gps.h>
#include <poll.h>

#include "lines.h"

struct tally {
    long tpvs;
    double begin, processor, last, sum;
};

static void count_tpv(struct tally *tally, double something) {
    tally->last = now();
    if (tally->tpvs++ == 0) {
        tally->begin = tally->last;
        tally->processor = processor_time();
    }
    tally->sum += something;
}

static void with_library(const char *port, long wanted, double idle, struct tally *tally) {
    static struct gps_data_t data;
    if (gps_open("127.0.0.1", port, &data)) give_up("gps_open");
    gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
    while (tally->tpvs < wanted && gps_waiting(&data, (int)(idle * 1e6))) {
        if (gps_read(&data, NULL, 0) < 0) break;
        if ((data.set & MODE_SET) && (data.set & LATLON_SET)) count_tpv(tally, data.fix.latitude);
    }
    gps_close(&data);
}

static double scanned(const char *line) {
    return number_of(line, "\"lat\":") + number_of(line, "\"lon\":") +
           number_of(line, "\"speed\":") + number_of(line, "\"track\":") +
           number_of(line, "\"mode\":") + (strstr(line, "\"time\":\"") != NULL);
}

static void by_hand(const char *port, int scans, long wanted, double idle, struct tally *tally) {
    static struct lines lines;
    lines.descriptor = connect_to_gpsd(port);
    struct pollfd readable = {.fd = lines.descriptor, .events = POLLIN};
    while (tally->tpvs < wanted && poll(&readable, 1, (int)(idle * 1000)) > 0 &&
           read_more(&lines)) {
        for (char *line; (line = next_line(&lines));)
            if (is_tpv(line)) count_tpv(tally, scans ? scanned(line) : 0);
    }
}

int main(int count, char **words) {
    if (count < 5) return fprintf(stderr, "usage: gpscli PORT raw|scan|lib COUNT IDLE\n"), 2;
    long wanted = atol(words[3]);
    double idle = atof(words[4]);
    struct tally tally = {0};
    if (strcmp(words[2], "lib") == 0)
        with_library(words[1], wanted, idle, &tally);
    else
        by_hand(words[1], strcmp(words[2], "scan") == 0, wanted, idle, &tally);
    double seconds = tally.last - tally.begin, tpvs = (double)tally.tpvs;
    printf("tpv=%ld\nspan_s=%.4f\ntpv_per_s=%.1f\nclient_us_cpu_per_tpv=%.3f\nsum=%.4f\n",
           tally.tpvs, seconds, tpvs / seconds,
           (processor_time() - tally.processor) / tpvs * 1e6, tally.sum);
    return 0;
}
