/* A minimal client of gpsd: a socket, lines, and numbers extracted from them. */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "floor.h"

static inline int connect_to_gpsd(const char *port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)atoi(port)),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    const char *watch = "?WATCH={\"enable\":true,\"json\":true};\n";
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ||
        write(descriptor, watch, strlen(watch)) < 0)
        give_up("gpsd");
    return descriptor;
}

struct lines {
    int descriptor;
    size_t begin, end;
    char bytes[1 << 18];
};

/* Waits for more; 0 at the end. */
static inline int read_more(struct lines *lines) {
    memmove(lines->bytes, lines->bytes + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    ssize_t count = read(lines->descriptor, lines->bytes + lines->end,
                         sizeof lines->bytes - lines->end);
    if (count <= 0) return 0;
    lines->end += (size_t)count;
    return 1;
}

/* The next whole line that has arrived, ended with a NUL; NULL when more must be read. */
static inline char *next_line(struct lines *lines) {
    char *line = lines->bytes + lines->begin;
    char *end = memchr(line, '\n', lines->end - lines->begin);
    if (!end) return NULL;
    *end = 0;
    lines->begin = (size_t)(end + 1 - lines->bytes);
    return line;
}

static inline int is_tpv(const char *line) {
    return strncmp(line, "{\"class\":\"TPV\"", 14) == 0 && strstr(line, "\"lat\":") != NULL;
}

/* The number after a key such as `"lat":`. */
static inline double number_of(const char *line, const char *key) {
    const char *found = strstr(line, key);
    return found ? strtod(found + strlen(key), NULL) : NAN;
}
