#ifndef GEOFENCED_MOSQUITTO_SHIM_H
#define GEOFENCED_MOSQUITTO_SHIM_H

#include <errno.h>
#include <mosquitto.h>
/* Part of the other since 2.1, which warns of it. */
#if LIBMOSQUITTO_VERSION_NUMBER < 2001000
#include <mqtt_protocol.h>
#endif
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
 * one that goes releases everything. */

enum gfmq_kind {
        GFMQ_CONNECTED = 1,     /* code: the reason in CONNACK */
        GFMQ_ENDED = 2,         /* code: of libmosquitto, detail: an errno or the broker's reason */
        GFMQ_PUBLISHED = 3,     /* mid, code: the reason in PUBACK */
        GFMQ_SUBSCRIBED = 4,    /* mid, code: the worst of the reasons in SUBACK */
        GFMQ_MESSAGE = 5,       /* topic, payload; detail: 1 if retained */
};

struct gfmq_event {
        struct gfmq_event *next;
        int kind, code, detail, mid;
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
        struct gfmq_event *first, *last;
        /* Of messages that wait for the loop. */
        size_t bytes, limit;
        /* Messages that came while more than that waited. */
        uint64_t dropped;
};

static inline void gfmq_push(struct gfmq_session *session, int kind, int code, int detail, int mid,
                const char *topic, const void *payload, size_t payload_size) {
        size_t topic_size = topic ? strlen(topic) : 0;
        struct gfmq_event *event;

        pthread_mutex_lock(&session->mutex);
        if (session->closed || (kind == GFMQ_MESSAGE
                        && session->bytes + topic_size + payload_size > session->limit)) {
                if (!session->closed)
                        session->dropped++;
                pthread_mutex_unlock(&session->mutex);
                return;
        }
        event = calloc(1, sizeof *event + topic_size + payload_size);
        if (event) {
                event->kind = kind;
                event->code = code;
                event->detail = detail;
                event->mid = mid;
                event->topic_size = topic_size;
                event->payload_size = payload_size;
                if (topic_size)
                        memcpy(event->bytes, topic, topic_size);
                if (payload_size)
                        memcpy(event->bytes + topic_size, payload, payload_size);
                session->bytes += topic_size + payload_size;
                if (session->last)
                        session->last->next = event;
                else
                        session->first = event;
                session->last = event;
                (void) !write(session->wake, &(uint64_t) { 1 }, sizeof(uint64_t));
        } else
                session->dropped++;
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
                session->bytes -= event->topic_size + event->payload_size;
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
        free(session->host);
        free(session);
}

static inline void gfmq_on_connect(struct mosquitto *client, void *data, int code, int flags,
                const mosquitto_property *properties) {
        (void) client, (void) flags, (void) properties;
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
        gfmq_push(data, GFMQ_PUBLISHED, code, 0, mid, NULL, NULL, 0);
}

static inline void gfmq_on_subscribe(struct mosquitto *client, void *data, int mid, int count,
                const int *codes, const mosquitto_property *properties) {
        int worst = 0;

        (void) client, (void) properties;
        for (int i = 0; i < count; i++)
                if (codes[i] > worst)
                        worst = codes[i];
        gfmq_push(data, GFMQ_SUBSCRIBED, worst, 0, mid, NULL, NULL, 0);
}

static inline void gfmq_on_message(struct mosquitto *client, void *data,
                const struct mosquitto_message *message, const mosquitto_property *properties) {
        (void) client, (void) properties;
        gfmq_push(data, GFMQ_MESSAGE, 0, message->retain, message->mid, message->topic,
                message->payload, message->payloadlen > 0 ? (size_t) message->payloadlen : 0);
}

/* NULL: no memory, or no descriptor. `limit`: of bytes of messages that wait. */
static inline struct gfmq_session *gfmq_new(const char *id, const char *host, int port,
                int keepalive, size_t limit) {
        struct gfmq_session *session = calloc(1, sizeof *session);

        if (!session)
                return NULL;
        /* As often as it likes, says mosquitto.h; the cost of it is a counter. */
        mosquitto_lib_init();
        pthread_mutex_init(&session->mutex, NULL);
        session->references = 1;
        session->limit = limit;
        session->port = port;
        session->keepalive = keepalive;
        session->host = strdup(host);
        session->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        session->client = mosquitto_new(id, true, session);
        if (!session->host || session->wake < 0 || !session->client
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
        int result, detail;
        bool closed;

        /* For ps -L and /proc. */
        prctl(PR_SET_NAME, "mqtt");
        errno = 0;
        result = mosquitto_connect_bind_v5(session->client, session->host, session->port,
                session->keepalive, NULL, NULL);
        detail = errno;
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
        }
        gfmq_push(session, GFMQ_ENDED, result, session->goodbye ? session->goodbye : detail, 0,
                NULL, NULL, 0);
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
