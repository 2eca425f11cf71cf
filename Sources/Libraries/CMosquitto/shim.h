#ifndef GEOFENCED_MOSQUITTO_SHIM_H
#define GEOFENCED_MOSQUITTO_SHIM_H

#include <errno.h>
#include <mosquitto.h>
/* Part of the other since 2.1, which warns of it. */
#if LIBMOSQUITTO_VERSION_NUMBER < 2001000
#include <mqtt_protocol.h>
#endif
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* One connection to a broker, on a thread of its own: libmosquitto resolves names and shakes hands
 * while blocking, and its external loop spins where a handshake hangs (mosquitto #1507). Its callbacks
 * run on that thread, where no Swift code of ours may run: they queue what has happened, and an
 * eventfd wakes the event loop, which takes it.
 *
 * A thread that hangs in a resolver cannot be joined. Loop and thread have a reference each; the last
 * one that goes releases everything.
 *
 * libmosquitto allocates whatever length a packet announces, up to 256 MiB. CONNECT tells the broker
 * how much we want; one that sends more is left as soon as that much has come and no packet was whole.
 * What comes faster than it is looked at meets RLIMIT_DATA, which the units set. */

enum gfmq_kind {
        GFMQ_CONNECTED = 1,     /* code: the reason in CONNACK, packet: the longest it takes */
        GFMQ_ENDED = 2,         /* code: of libmosquitto, detail: an errno or the broker's reason */
        GFMQ_PUBLISHED = 3,     /* mid, code: the reason in PUBACK */
        GFMQ_SUBSCRIBED = 4,    /* mid, code: the worst of the reasons in SUBACK */
        GFMQ_MESSAGE = 5,       /* topic, payload; detail: 1 if retained */
};

struct gfmq_event {
        struct gfmq_event *next;
        int kind, code, detail, mid;
        uint32_t packet;
        size_t topic_size, payload_size;
        /* The topic, then the payload. */
        uint8_t bytes[];
};

struct gfmq_session {
        struct mosquitto *client;
        char *host;
        int port, keepalive;
        int wake;
        pthread_mutex_t mutex;
        int references;
        bool closed;
        /* The broker's reason in its DISCONNECT; 0: it has sent none. */
        int goodbye;
        /* Bytes of the longest packet that the broker takes; 0: it has not said. */
        uint32_t taken;
        struct gfmq_event *first, *last;
        /* Of messages that wait for the loop. */
        size_t bytes, limit;
        /* Messages that came while more than that waited. */
        uint64_t dropped;
        /* Of the longest packet that is wanted, in bytes. */
        uint32_t packet;
        /* Of the thread: a packet was whole in this turn, and bytes that had come after the last turn with
         * one. */
        bool seen;
        uint64_t whole;
        /* GFMQ_ENDED, which must not need memory; NULL: it was told. */
        struct gfmq_event *end;
};

/* Bytes that have come from the broker; 0: no connection. */
static inline uint64_t gfmq_received(struct gfmq_session *session) {
        /* The beginning of struct tcp_info of <linux/tcp.h>, which the C library does not have, and
         * which cannot be included beside its own. */
        struct {
                uint8_t flags[8];
                uint32_t times[24];
                uint64_t pacing, fastest_pacing, acked, received;
        } info = { 0 };
        socklen_t size = sizeof info;
        int socket = mosquitto_socket(session->client);

        if (socket < 0 || getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &size) < 0
                        || size < sizeof info)
                return 0;
        return info.received;
}

/* From the thread, after a turn: whether more has come than one packet may have, and TLS around it, without
 * one being whole. Asked once a turn, and not for each packet. */
static inline bool gfmq_is_flooded(struct gfmq_session *session) {
        uint64_t received = gfmq_received(session);

        if (session->seen)
                session->whole = received;
        session->seen = false;
        return received > session->whole
                && received - session->whole > (64 << 10) + 2 * (uint64_t) session->packet;
}

/* With the mutex. */
static inline void gfmq_append(struct gfmq_session *session, struct gfmq_event *event) {
        bool first = !session->first;

        session->bytes += sizeof *event + event->topic_size + event->payload_size;
        if (session->last)
                session->last->next = event;
        else
                session->first = event;
        session->last = event;
        /* Otherwise the loop is awake, and takes this one with those before it. */
        if (first)
                (void) !write(session->wake, &(uint64_t) { 1 }, sizeof(uint64_t));
}

static inline void gfmq_push(struct gfmq_session *session, int kind, int code, int detail, int mid,
                const char *topic, const void *payload, size_t payload_size) {
        size_t topic_size = topic ? strlen(topic) : 0;
        size_t size = sizeof(struct gfmq_event) + topic_size + payload_size;
        /* Messages leave room for what the broker says of our own packets. */
        size_t reserve = kind == GFMQ_MESSAGE ? 0 : 64 << 10;
        struct gfmq_event *event;

        pthread_mutex_lock(&session->mutex);
        if (!session->closed) {
                event = session->bytes + size > session->limit + reserve ? NULL : calloc(1, size);
                if (event) {
                        event->kind = kind;
                        event->code = code;
                        event->detail = detail;
                        event->mid = mid;
                        event->packet = session->taken;
                        event->topic_size = topic_size;
                        event->payload_size = payload_size;
                        if (topic_size)
                                memcpy(event->bytes, topic, topic_size);
                        if (payload_size)
                                memcpy(event->bytes + topic_size, payload, payload_size);
                        gfmq_append(session, event);
                } else
                        session->dropped++;
        }
        pthread_mutex_unlock(&session->mutex);
}

/* The last event, for which there is always memory. */
static inline void gfmq_push_end(struct gfmq_session *session, int code, int detail) {
        pthread_mutex_lock(&session->mutex);
        if (!session->closed && session->end) {
                session->end->kind = GFMQ_ENDED;
                session->end->code = code;
                session->end->detail = detail;
                gfmq_append(session, session->end);
                session->end = NULL;
        }
        pthread_mutex_unlock(&session->mutex);
}

/* The oldest event, which the caller releases with free(3); NULL: none waits. */
static inline struct gfmq_event *gfmq_take(struct gfmq_session *session) {
        struct gfmq_event *event;

        pthread_mutex_lock(&session->mutex);
        event = session->first;
        if (event) {
                session->first = event->next;
                if (!session->first)
                        session->last = NULL;
                session->bytes -= sizeof *event + event->topic_size + event->payload_size;
        }
        pthread_mutex_unlock(&session->mutex);
        return event;
}

/* A flexible array member does not import. */
static inline const uint8_t *gfmq_bytes(const struct gfmq_event *event) {
        return event->bytes;
}

static inline uint64_t gfmq_dropped(struct gfmq_session *session) {
        uint64_t dropped;

        pthread_mutex_lock(&session->mutex);
        dropped = session->dropped;
        pthread_mutex_unlock(&session->mutex);
        return dropped;
}

static inline void gfmq_release(struct gfmq_session *session) {
        struct gfmq_event *event;
        bool last;

        pthread_mutex_lock(&session->mutex);
        last = --session->references == 0;
        pthread_mutex_unlock(&session->mutex);
        if (!last)
                return;
        while ((event = gfmq_take(session)))
                free(event);
        if (session->client)
                mosquitto_destroy(session->client);
        if (session->wake >= 0)
                close(session->wake);
        pthread_mutex_destroy(&session->mutex);
        free(session->end);
        free(session->host);
        free(session);
}

static inline void gfmq_on_connect(struct mosquitto *client, void *data, int code, int flags,
                const mosquitto_property *properties) {
        struct gfmq_session *session = data;
        uint32_t taken = 0;

        (void) client, (void) flags;
        session->seen = true;
        if (mosquitto_property_read_int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, &taken, false))
                session->taken = taken;
        gfmq_push(data, GFMQ_CONNECTED, code, 0, 0, NULL, NULL, 0);
}

static inline void gfmq_on_disconnect(struct mosquitto *client, void *data, int code,
                const mosquitto_property *properties) {
        struct gfmq_session *session = data;

        (void) client, (void) properties;
        /* Below 0x80 it is an error of libmosquitto, which its loop returns as well. */
        if (code >= 0x80)
                session->goodbye = code;
}

static inline void gfmq_on_publish(struct mosquitto *client, void *data, int mid, int code,
                const mosquitto_property *properties) {
        (void) client, (void) properties;
        ((struct gfmq_session *) data)->seen = true;
        gfmq_push(data, GFMQ_PUBLISHED, code, 0, mid, NULL, NULL, 0);
}

static inline void gfmq_on_subscribe(struct mosquitto *client, void *data, int mid, int count,
                const int *codes, const mosquitto_property *properties) {
        int worst = 0;

        (void) client, (void) properties;
        for (int i = 0; i < count; i++)
                if (codes[i] > worst)
                        worst = codes[i];
        ((struct gfmq_session *) data)->seen = true;
        gfmq_push(data, GFMQ_SUBSCRIBED, worst, 0, mid, NULL, NULL, 0);
}

static inline void gfmq_on_message(struct mosquitto *client, void *data,
                const struct mosquitto_message *message, const mosquitto_property *properties) {
        (void) client, (void) properties;
        ((struct gfmq_session *) data)->seen = true;
        gfmq_push(data, GFMQ_MESSAGE, 0, message->retain, message->mid, message->topic,
                message->payload, message->payloadlen > 0 ? (size_t) message->payloadlen : 0);
}

/* The answer to a ping has no callback but this. */
static inline void gfmq_on_log(struct mosquitto *client, void *data, int level, const char *text) {
        (void) client;
        if (level == MOSQ_LOG_DEBUG && strstr(text, "received PINGRESP"))
                ((struct gfmq_session *) data)->seen = true;
}

/* NULL: no memory, or no descriptor. `limit`: of bytes of messages that wait; `packet`: of the longest
 * packet that the broker may send. */
static inline struct gfmq_session *gfmq_new(const char *id, const char *host, int port,
                int keepalive, size_t limit, uint32_t packet) {
        struct gfmq_session *session = calloc(1, sizeof *session);

        if (!session)
                return NULL;
        /* As often as it likes, says mosquitto.h; the cost of it is a counter. */
        mosquitto_lib_init();
        pthread_mutex_init(&session->mutex, NULL);
        session->references = 1;
        session->limit = limit;
        session->packet = packet;
        session->end = calloc(1, sizeof *session->end);
        session->port = port;
        session->keepalive = keepalive;
        session->host = strdup(host);
        session->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        session->client = mosquitto_new(id, true, session);
        if (!session->host || !session->end || session->wake < 0 || !session->client
                        || mosquitto_int_option(session->client, MOSQ_OPT_PROTOCOL_VERSION,
                                MQTT_PROTOCOL_V5) != MOSQ_ERR_SUCCESS
                        || mosquitto_threaded_set(session->client, true) != MOSQ_ERR_SUCCESS) {
                gfmq_release(session);
                return NULL;
        }
        mosquitto_connect_v5_callback_set(session->client, gfmq_on_connect);
        mosquitto_disconnect_v5_callback_set(session->client, gfmq_on_disconnect);
        mosquitto_publish_v5_callback_set(session->client, gfmq_on_publish);
        mosquitto_subscribe_v5_callback_set(session->client, gfmq_on_subscribe);
        mosquitto_message_v5_callback_set(session->client, gfmq_on_message);
        mosquitto_log_callback_set(session->client, gfmq_on_log);
        return session;
}

/* What the broker publishes when this connection ends without a goodbye. `delay`: s. */
static inline int gfmq_will(struct gfmq_session *session, const char *topic, const void *payload,
                int size, uint32_t delay) {
        mosquitto_property *properties = NULL;
        int result = mosquitto_property_add_int32(&properties, MQTT_PROP_WILL_DELAY_INTERVAL, delay);

        if (result == MOSQ_ERR_SUCCESS)
                result = mosquitto_will_set_v5(session->client, topic, size, payload, 1, true,
                        properties);
        /* libmosquitto has taken them over, if it has not failed. */
        if (result != MOSQ_ERR_SUCCESS)
                mosquitto_property_free_all(&properties);
        return result;
}

/* Until the connection has ended. */
static inline void *gfmq_thread(void *data) {
        struct gfmq_session *session = data;
        mosquitto_property *properties = NULL;
        int result, detail;
        bool closed;

        /* For ps -L and /proc. */
        prctl(PR_SET_NAME, "mqtt");
        errno = 0;
        result = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE,
                session->packet);
        if (result == MOSQ_ERR_SUCCESS)
                result = mosquitto_connect_bind_v5(session->client, session->host, session->port,
                        session->keepalive, NULL, properties);
        detail = errno;
        mosquitto_property_free_all(&properties);
        while (result == MOSQ_ERR_SUCCESS) {
                pthread_mutex_lock(&session->mutex);
                closed = session->closed;
                pthread_mutex_unlock(&session->mutex);
                if (closed)
                        break;
                errno = 0;
                /* Returns early for a publication and for the next PINGREQ; an hour at most. */
                result = mosquitto_loop(session->client, 3600 * 1000, 1);
                detail = errno;
                if (result == MOSQ_ERR_SUCCESS && gfmq_is_flooded(session))
                        result = MOSQ_ERR_OVERSIZE_PACKET;
        }
        gfmq_push_end(session, result, session->goodbye ? session->goodbye : detail);
        gfmq_release(session);
        return NULL;
}

/* Begins to connect. As errno(3). */
static inline int gfmq_start(struct gfmq_session *session) {
        pthread_t thread;
        pthread_attr_t attributes;
        int result;

        session->references++;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        /* OpenSSL and the resolver are content with much less than the 8 MiB of the default. */
        pthread_attr_setstacksize(&attributes, 512 << 10);
        result = pthread_create(&thread, &attributes, gfmq_thread, session);
        pthread_attr_destroy(&attributes);
        if (result != 0)
                session->references--;
        return result;
}

/* Says goodbye, so that no will is published; GFMQ_ENDED follows. */
static inline void gfmq_goodbye(struct gfmq_session *session) {
        mosquitto_disconnect_v5(session->client, MQTT_RC_NORMAL_DISCONNECTION, NULL);
}

/* Ends it at once, without a goodbye, and drops the loop's reference. */
static inline void gfmq_close(struct gfmq_session *session) {
        int socket;

        pthread_mutex_lock(&session->mutex);
        session->closed = true;
        pthread_mutex_unlock(&session->mutex);
        socket = mosquitto_socket(session->client);
        if (socket >= 0)
                /* Ends also a handshake that hangs, and wakes the thread. */
                shutdown(socket, SHUT_RDWR);
        gfmq_release(session);
}

#endif
