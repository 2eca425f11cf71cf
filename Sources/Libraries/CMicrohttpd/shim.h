#ifndef GEOFENCED_CMICROHTTPD_SHIM_H
#define GEOFENCED_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <strings.h>

/* MHD_start_daemon, MHD_get_daemon_info and MHD_get_connection_info are variadic, which Swift does
 * not import. */

/* A server on a socket that listens, without threads: the caller polls its epoll descriptor. The ITC
 * keeps MHD from shutting the listening socket down when it stops (systemd issue 1286): it belongs
 * to the service manager, which listens on it again. */
static inline struct MHD_Daemon *geofenced_mhd_start(
    int listener, unsigned int connections, size_t memory, unsigned int seconds, void *user,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, 0, 0, handle, user,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, seconds,
        MHD_OPTION_NOTIFY_COMPLETED, completed, user,
        MHD_OPTION_NOTIFY_CONNECTION, connected, user,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

/* -1 if there is none. */
static inline int geofenced_mhd_epoll(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* -1 if there is none. */
static inline int geofenced_mhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

static inline int geofenced_mhd_is_start(enum MHD_ConnectionNotificationCode code)
{
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/* ms until MHD_run must be called without an event; -1 for never. */
static inline int64_t geofenced_mhd_timeout(struct MHD_Daemon *daemon)
{
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    if (MHD_get_timeout(daemon, &timeout) != MHD_YES) return -1;
    return timeout > INT32_MAX ? INT32_MAX : (int64_t)timeout;
}

/* Valid as long as the request; null where it does not have this header, or argument. */
static inline const char *geofenced_mhd_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *geofenced_mhd_argument(
    struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

struct geofenced_mhd_count {
    const char *name;
    int count;
};

static inline enum MHD_Result geofenced_mhd_count_one(
    void *user, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct geofenced_mhd_count *count = user;
    (void)kind;
    (void)value;
    if (key && strcasecmp(key, count->name) == 0) count->count += 1;
    return MHD_YES;
}

/* How often the request has this header. */
static inline int geofenced_mhd_header_count(struct MHD_Connection *connection, const char *name)
{
    struct geofenced_mhd_count count = {name, 0};
    (void)MHD_get_connection_values(
        connection, MHD_HEADER_KIND, geofenced_mhd_count_one, &count);
    return count.count;
}

/* A response whose bytes are copied. */
static inline struct MHD_Response *geofenced_mhd_response(const void *bytes, size_t count)
{
    return MHD_create_response_from_buffer(
        count, (void *)(bytes ? bytes : ""), MHD_RESPMEM_MUST_COPY);
}

/* A response of `count` bytes, which `reader` supplies. */
static inline struct MHD_Response *geofenced_mhd_shared(
    uint64_t count, MHD_ContentReaderCallback reader, void *user,
    MHD_ContentReaderFreeCallback end)
{
    return MHD_create_response_from_callback(count, 32768, reader, user, end);
}

/* A response without an end, whose bytes the reader gives. */
static inline struct MHD_Response *geofenced_mhd_stream(
    MHD_ContentReaderCallback reader, void *user, MHD_ContentReaderFreeCallback end)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, reader, user, end);
}

/* What a reader returns for an end, and for a connection that must be closed. */
static inline ssize_t geofenced_mhd_end(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t geofenced_mhd_abort(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

static inline enum MHD_Result geofenced_mhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result geofenced_mhd_no(void) { return MHD_NO; }

#endif
