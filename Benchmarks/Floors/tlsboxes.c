/* tlsboxes PORT BOXES AUTHORITY TENANT
 *
 * Simulates the boxes of a fleet in one process: MQTT 5 over TLS to a broker on 127.0.0.1, each
 * subscribed to the acknowledgements for it. Prints values as `name=value` lines, each group ended
 * by a line `ready`, and takes lines from standard input:
 *
 *     publish RATE SECONDS    RATE events a second in all (QoS 1), from the boxes in turn
 *     end                     exits without closing the connections
 *
 * Keep-alives are sent as MQTT requires. The number of boxes is limited by the descriptors that a
 * process may have; "boxes" is their actual number. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { KEEP_ALIVE = 240, AT_A_TIME = 100, LONGEST = 1024 };
enum state { CLOSED, CONNECTING, SHAKING, GREETING, READY };

struct box {
        int fd;
        enum state state;
        SSL *tls;
        bool wants_write, in_flight;
        double sent;
        uint64_t seq;
        /* Of the packet that is being received: the type, and the remaining length. */
        uint8_t head[5];
        int head_size;
        uint32_t rest;
        /* Bytes to be written. */
        uint8_t out[LONGEST];
        int out_size, out_done;
};

static struct box *boxes;
static int count, epoll, port;
static const char *tenant;
static SSL_CTX *context;
static long connected, acknowledged, unheard, failed;

static double now(void) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        return time.tv_sec + time.tv_nsec / 1e9;
}

static double cpu(void) {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
                + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void die(const char *what) {
        fprintf(stderr, "tlsboxes: %s: %s\n", what, strerror(errno));
        exit(1);
}

static void watch(struct box *box, int operation) {
        struct epoll_event event = {
                .events = EPOLLIN | (box->wants_write ? EPOLLOUT : 0), .data.ptr = box};
        if (epoll_ctl(epoll, operation, box->fd, &event) < 0)
                die("epoll_ctl");
}

static void want_write(struct box *box, bool wants) {
        if (box->wants_write == wants)
                return;
        box->wants_write = wants;
        watch(box, EPOLL_CTL_MOD);
}

static void lose(struct box *box) {
        failed++;
        if (box->tls)
                SSL_free(box->tls);
        close(box->fd);
        memset(box, 0, sizeof *box);
        box->fd = -1;
}

static void flush(struct box *box) {
        while (box->out_done < box->out_size) {
                int size = SSL_write(
                        box->tls, box->out + box->out_done, box->out_size - box->out_done);
                if (size <= 0) {
                        int why = SSL_get_error(box->tls, size);
                        if (why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ) {
                                want_write(box, why == SSL_ERROR_WANT_WRITE);
                                return;
                        }
                        lose(box);
                        return;
                }
                box->out_done += size;
        }
        box->out_size = box->out_done = 0;
        box->sent = now();
        want_write(box, false);
}

static uint8_t *text(uint8_t *at, const char *string) {
        size_t size = strlen(string);
        *at++ = size >> 8;
        *at++ = size & 255;
        memcpy(at, string, size);
        return at + size;
}

/* Adds a packet; false if there is no room before the last one is sent. */
static bool add(struct box *box, uint8_t type, const uint8_t *body, size_t size) {
        uint8_t head[5] = {type};
        int length = 1;
        size_t rest = size;

        do {
                head[length++] = (rest & 127) | (rest > 127 ? 128 : 0);
                rest >>= 7;
        } while (rest);
        if (box->out_size + length + size > sizeof box->out)
                return false;
        memcpy(box->out + box->out_size, head, length);
        memcpy(box->out + box->out_size + length, body, size);
        box->out_size += length + size;
        return true;
}

static void name_of(const struct box *box, char name[static 32]) {
        snprintf(name, 32, "bench%06d", (int) (box - boxes));
}

static void greet(struct box *box) {
        uint8_t body[128], *at = text(body, "MQTT");
        char name[32];

        name_of(box, name);
        /* Version 5, clean start, no properties. */
        *at++ = 5, *at++ = 2, *at++ = KEEP_ALIVE >> 8, *at++ = KEEP_ALIVE & 255, *at++ = 0;
        at = text(at, name);
        box->state = GREETING;
        add(box, 0x10, body, at - body);
        flush(box);
}

static void subscribe(struct box *box) {
        uint8_t body[256] = {0, 1, 0}, *at = body + 3;
        char name[32], topic[160];

        name_of(box, name);
        snprintf(topic, sizeof topic, "gf/1/%s/%s/down/#", tenant, name);
        at = text(at, topic);
        *at++ = 1;
        add(box, 0x82, body, at - body);
        flush(box);
}

static void publish(struct box *box) {
        uint8_t body[900], *at;
        char name[32], topic[160], event[700];

        name_of(box, name);
        snprintf(topic, sizeof topic, "gf/1/%s/%s/event", tenant, name);
        int size = snprintf(event, sizeof event,
                "{\"v\":2,\"log\":\"%032x\",\"prev\":%llu,\"event\":{\"seq\":%llu,\"kind\":\"exit\","
                "\"fence\":\"wh/WDF%02llu\",\"title\":\"SAP SE WDF01\",\"time\":"
                "\"2026-11-22T06:41:07.250Z\",\"fix_time\":\"2026-11-22T06:41:08.000Z\","
                "\"stay_s\":1512.4,\"inferred\":false,\"reason\":\"certain\","
                "\"presence\":\"outside\",\"distance_m\":80.0,\"error_m\":34.2}}",
                (unsigned) (box - boxes) + 1, (unsigned long long) box->seq,
                (unsigned long long) box->seq + 1, (unsigned long long) box->seq % 100);
        at = text(body, topic);
        *at++ = 0, *at++ = 2, *at++ = 0;
        memcpy(at, event, size);
        if (!add(box, 0x32, body, at - body + size))
                return;
        box->seq++;
        box->in_flight = true;
        flush(box);
}

/* Handles a packet of the broker: only its type and the reason of a PUBACK matter. */
static void take(struct box *box, uint8_t type, const uint8_t *body, size_t size) {
        uint8_t ack[2];

        switch (type >> 4) {
        case 2: /* CONNACK */
                if (size < 2 || body[1] != 0) {
                        lose(box);
                        return;
                }
                box->state = READY;
                connected++;
                subscribe(box);
                return;
        case 3: /* PUBLISH: an acknowledgement of the office */
                if ((type & 6) && size >= 2) {
                        size_t topic = body[0] << 8 | body[1];
                        if (topic + 4 <= size) {
                                memcpy(ack, body + 2 + topic, 2);
                                add(box, 0x40, ack, 2);
                                flush(box);
                        }
                }
                return;
        case 4: /* PUBACK */
                acknowledged++;
                if (size > 2 && body[2] == 0x10)
                        unheard++;
                box->in_flight = false;
                return;
        default:
                return;
        }
}

/* Packets are small: one that is longer than the buffer is discarded. */
static void read_from(struct box *box) {
        static uint8_t body[4096];
        static uint8_t bytes[16384];
        int size;

        while (box->fd >= 0 && (size = SSL_read(box->tls, bytes, sizeof bytes)) > 0) {
                for (int i = 0; i < size && box->fd >= 0;) {
                        if (!box->rest) {
                                box->head[box->head_size++] = bytes[i++];
                                if (box->head_size < 2 || (box->head[box->head_size - 1] & 128)) {
                                        if (box->head_size == 5) {
                                                lose(box);
                                                return;
                                        }
                                        continue;
                                }
                                for (int k = box->head_size - 1; k > 0; k--)
                                        box->rest = box->rest << 7 | (box->head[k] & 127);
                                box->head_size = 0;
                                if (!box->rest)
                                        take(box, box->head[0], body, 0);
                                continue;
                        }
                        /* The broker writes a packet in one call, and TLS keeps it together. */
                        uint32_t here = (uint32_t) (size - i) < box->rest ? (uint32_t) (size - i)
                                                                         : box->rest;
                        bool whole = here == box->rest && here <= sizeof body;
                        if (whole)
                                memcpy(body, bytes + i, here);
                        i += here;
                        box->rest -= here;
                        if (whole)
                                take(box, box->head[0], body, here);
                }
        }
        if (box->fd < 0)
                return;
        int why = SSL_get_error(box->tls, size);
        if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE)
                lose(box);
}

static void shake(struct box *box) {
        int result = SSL_connect(box->tls);

        if (result == 1) {
                want_write(box, false);
                greet(box);
                return;
        }
        int why = SSL_get_error(box->tls, result);
        if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
                want_write(box, why == SSL_ERROR_WANT_WRITE);
        else
                lose(box);
}

static bool begin(struct box *box) {
        struct sockaddr_in address = {
                .sin_family = AF_INET, .sin_port = htons(port),
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int one = 1;

        box->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (box->fd < 0)
                return false;
        setsockopt(box->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (connect(box->fd, (struct sockaddr *) &address, sizeof address) < 0
                        && errno != EINPROGRESS)
                die("connect");
        box->tls = SSL_new(context);
        if (!box->tls || !SSL_set_fd(box->tls, box->fd) || !SSL_set1_host(box->tls, "localhost"))
                die("TLS");
        box->state = CONNECTING;
        box->wants_write = true;
        watch(box, EPOLL_CTL_ADD);
        return true;
}

static void handle(struct box *box, uint32_t events) {
        if (box->fd < 0)
                return;
        switch (box->state) {
        case CONNECTING:
                if (events & (EPOLLERR | EPOLLHUP)) {
                        lose(box);
                        return;
                }
                box->state = SHAKING;
                /* fallthrough */
        case SHAKING:
                shake(box);
                return;
        default:
                if ((events & EPOLLOUT) && box->fd >= 0)
                        flush(box);
                if (box->fd >= 0)
                        read_from(box);
        }
}

/* Handles events until that time, or until the next line on standard input. */
static void turn(double until) {
        struct epoll_event events[512];
        double wait = (until - now()) * 1000;
        int found = epoll_wait(epoll, events, 512, wait < 0 ? 0 : wait > 1000 ? 1000 : (int) wait);

        for (int i = 0; i < found; i++)
                if (events[i].data.ptr)
                        handle(events[i].data.ptr, events[i].events);
}

static void keep_alive(void) {
        static double last;
        double time = now();

        if (time - last < 1)
                return;
        last = time;
        for (int i = 0; i < count; i++)
                if (boxes[i].state == READY && time - boxes[i].sent > KEEP_ALIVE * 0.9) {
                        add(&boxes[i], 0xC0, NULL, 0);
                        flush(&boxes[i]);
                }
}

static void connect_all(void) {
        double start = now(), used = cpu();
        int next = 0;

        while (connected + failed < count) {
                while (next < count && next - connected - failed < AT_A_TIME)
                        if (!begin(&boxes[next++]))
                                die("socket");
                turn(now() + 1);
                if (now() - start > 600) {
                        fprintf(stderr, "tlsboxes: only %ld are connected\n", connected);
                        exit(1);
                }
        }
        printf("boxes=%ld\nfailed=%ld\nseconds=%.3f\ncpu=%.3f\nready\n", connected, failed,
                now() - start, cpu() - used);
        fflush(stdout);
}

static void publish_all(double rate, double seconds) {
        double start = now();
        long begun = acknowledged, sent = 0, busy = 0;
        int next = 0;

        unheard = 0;
        while (now() - start < seconds) {
                while (sent + busy < (now() - start) * rate) {
                        struct box *box = &boxes[next++ % count];
                        if (box->state == READY && !box->in_flight) {
                                publish(box);
                                sent++;
                        } else
                                busy++;
                }
                turn(start + (sent + busy + 1) / rate);
                keep_alive();
        }
        /* Waits for acknowledgements that are pending. */
        for (double end = now() + 10; acknowledged - begun < sent && now() < end;)
                turn(now() + 0.1);
        printf("sent=%ld\nacknowledged=%ld\nunheard=%ld\nbusy=%ld\nlost=%ld\nready\n", sent,
                acknowledged - begun, unheard, busy, failed);
        fflush(stdout);
}

int main(int argc, char **argv) {
        struct rlimit limit;
        char line[128];
        double rate, seconds;

        if (argc != 5) {
                fprintf(stderr, "usage: tlsboxes PORT BOXES AUTHORITY TENANT\n");
                return 2;
        }
        signal(SIGPIPE, SIG_IGN);
        port = atoi(argv[1]);
        count = atoi(argv[2]);
        tenant = argv[4];
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        if ((rlim_t) count + 16 > limit.rlim_cur)
                count = limit.rlim_cur - 16;
        boxes = calloc(count, sizeof *boxes);
        epoll = epoll_create1(EPOLL_CLOEXEC);
        context = SSL_CTX_new(TLS_client_method());
        if (!boxes || epoll < 0 || !context
                        || SSL_CTX_load_verify_locations(context, argv[3], NULL) != 1)
                die("set-up");
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_mode(context,
                SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                        | SSL_MODE_RELEASE_BUFFERS);
        connect_all();
        /* Standard input is watched like a box, with a null pointer. */
        struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
        fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &input) < 0)
                die("standard input");
        for (;;) {
                ssize_t size = read(0, line, sizeof line - 1);
                if (size == 0)
                        return 0;
                if (size > 0) {
                        line[size] = 0;
                        if (!strncmp(line, "end", 3))
                                return 0;
                        if (sscanf(line, "publish %lf %lf", &rate, &seconds) == 2)
                                publish_all(rate, seconds);
                }
                turn(now() + 1);
                keep_alive();
        }
}
