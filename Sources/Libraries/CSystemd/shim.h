#ifndef GEOFENCED_SYSTEMD_SHIM_H
#define GEOFENCED_SYSTEMD_SHIM_H

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

/* Only what Swift cannot say itself is here: each function tells why. */

/* The SD_BUS_… initialisers are macros with designated unions, which do not import. The strings of a
 * vtable are not copied by sd-bus: they must live as long as the slot. */
static inline sd_bus_vtable geofenced_vtable_start(void) {
        sd_bus_vtable entry;
        memset(&entry, 0, sizeof entry);
        entry.type = _SD_BUS_VTABLE_START;
        entry.x.start.element_size = sizeof(sd_bus_vtable);
        entry.x.start.features = _SD_BUS_VTABLE_PARAM_NAMES;
        entry.x.start.vtable_format_reference = &sd_bus_object_vtable_format;
        return entry;
}

/* Always SD_BUS_VTABLE_UNPRIVILEGED: without it sd-bus asks the bus for the sender's capabilities and
 * waits for the answer; who may call is decided by the bus policy and by the service. */
static inline sd_bus_vtable geofenced_vtable_method(
                const char *member, const char *signature, const char *result, const char *names,
                sd_bus_message_handler_t handler) {
        sd_bus_vtable entry;
        memset(&entry, 0, sizeof entry);
        entry.type = _SD_BUS_VTABLE_METHOD;
        entry.flags = SD_BUS_VTABLE_UNPRIVILEGED;
        entry.x.method.member = member;
        entry.x.method.signature = signature;
        entry.x.method.result = result;
        entry.x.method.handler = handler;
        entry.x.method.names = names;
        return entry;
}

static inline sd_bus_vtable geofenced_vtable_signal(
                const char *member, const char *signature, const char *names) {
        sd_bus_vtable entry;
        memset(&entry, 0, sizeof entry);
        entry.type = _SD_BUS_VTABLE_SIGNAL;
        entry.x.signal.member = member;
        entry.x.signal.signature = signature;
        entry.x.signal.names = names;
        return entry;
}

static inline sd_bus_vtable geofenced_vtable_property(
                const char *member, const char *signature, sd_bus_property_get_t get,
                uint64_t flags) {
        sd_bus_vtable entry;
        memset(&entry, 0, sizeof entry);
        entry.type = _SD_BUS_VTABLE_PROPERTY;
        entry.flags = flags;
        entry.x.property.member = member;
        entry.x.property.signature = signature;
        entry.x.property.get = get;
        return entry;
}

static inline sd_bus_vtable geofenced_vtable_end(void) {
        sd_bus_vtable entry;
        memset(&entry, 0, sizeof entry);
        entry.type = _SD_BUS_VTABLE_END;
        return entry;
}

/* The CMSG_ macros do not import. At most GEOFENCED_MAX_FDS descriptors; as sendmsg(2). */
#define GEOFENCED_MAX_FDS 16
static inline ssize_t geofenced_send(
                int socket, const struct sockaddr *address, socklen_t address_length,
                const void *bytes, size_t count, const int *fds, size_t n_fds) {
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(sizeof(int) * GEOFENCED_MAX_FDS)];
        } control;
        struct iovec part = { .iov_base = (void *) bytes, .iov_len = count };
        struct msghdr message;

        memset(&control, 0, sizeof control);
        memset(&message, 0, sizeof message);
        message.msg_name = (void *) address;
        message.msg_namelen = address_length;
        if (count > 0) {
                message.msg_iov = &part;
                message.msg_iovlen = 1;
        }
        if (n_fds > GEOFENCED_MAX_FDS)
                n_fds = GEOFENCED_MAX_FDS;
        if (n_fds > 0) {
                message.msg_control = &control;
                message.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
                struct cmsghdr *part_header = CMSG_FIRSTHDR(&message);
                part_header->cmsg_level = SOL_SOCKET;
                part_header->cmsg_type = SCM_RIGHTS;
                part_header->cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
                memcpy(CMSG_DATA(part_header), fds, sizeof(int) * n_fds);
        }
        return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Declared by <sys/mman.h> under _GNU_SOURCE only, which Swift's Glibc module is built without. */
extern int memfd_create(const char *name, unsigned int flags);

/* The same, by <fcntl.h>. */
static inline ssize_t geofenced_splice_nonblock(int from, int to, size_t count) {
        extern ssize_t splice(int, off_t *, int, off_t *, size_t, unsigned int);

        return splice(from, NULL, to, NULL, count, 2 /* SPLICE_F_NONBLOCK */);
}

#endif
