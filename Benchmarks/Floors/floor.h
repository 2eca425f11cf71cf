/* Shared by the floors: clocks, the seeded data, distances, and how results are printed. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define EARTH_RADIUS 6371008.8
#define RADIANS (M_PI / 180)
/* Per degree of latitude, on that sphere. */
#define METRES_A_DEGREE (EARTH_RADIUS * RADIANS)

__attribute__((noreturn)) static inline void give_up(const char *what) {
    perror(what);
    exit(1);
}

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Processor time of this process, s. */
static inline double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Metres on the sphere; degrees in. */
static inline double haversine(double lat1, double lon1, double lat2, double lon2) {
    double s = sin((lat2 - lat1) * RADIANS / 2), t = sin((lon2 - lon1) * RADIANS / 2);
    double h = s * s + cos(lat1 * RADIANS) * cos(lat2 * RADIANS) * t * t;
    return 2 * EARTH_RADIUS * asin(sqrt(h));
}

/* Reads a whole file of the data directory. */
static inline void *read_data(const char *name, size_t *size) {
    const char *folder = getenv("DATA");
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "data", name);
    FILE *file = fopen(path, "rb");
    if (!file) give_up(path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) give_up(path);
    fclose(file);
    return bytes;
}

struct circle {
    double lat, lon, radius;
};

struct place {
    double lat, lon;
};

static inline struct circle *read_circles(size_t *count) {
    size_t size;
    struct circle *circles = read_data("fences.bin", &size);
    *count = size / sizeof *circles;
    return circles;
}

static inline struct place *read_drive(size_t *count) {
    size_t size;
    struct place *places = read_data("drive.bin", &size);
    *count = size / sizeof *places;
    return places;
}

static inline int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median, 99th percentile and maximum of `count` times in seconds. */
static inline void print_latencies(const char *name, double *seconds, size_t count) {
    if (count == 0) return;
    qsort(seconds, count, sizeof *seconds, compare_doubles);
    printf("%s_p50_us=%.3f\n%s_p99_us=%.3f\n%s_max_us=%.3f\n", name, seconds[count / 2] * 1e6,
           name, seconds[(size_t)((double)count * 0.99)] * 1e6, name, seconds[count - 1] * 1e6);
}
