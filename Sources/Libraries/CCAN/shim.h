#include <errno.h>
#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* SocketCAN, documented in Documentation/networking/can.rst of the kernel. Its addresses and frames
   are unions, and the requests of ioctl(2) macros. */

/* A classical frame as it was read: of data, or of an error. */
typedef struct {
    uint32_t id;
    uint8_t is_extended;
    /* Of an error frame its class, CAN_ERR_...; 0 of a frame of data. */
    uint32_t error;
    uint8_t is_remote;
    /* 0 to 8. */
    uint8_t count;
    uint8_t data[8];
} can_word;

static const uint32_t can_bus_off = CAN_ERR_BUSOFF;
static const uint32_t can_restarted = CAN_ERR_RESTARTED;

/* One identifier to be heard, and which of its bits count. */
typedef struct {
    uint32_t id;
    uint32_t mask;
    uint8_t is_extended;
} can_choice;

#define CAN_MOST_CHOICES 16

/* Opens a socket that is attached to the interface of that name, and hears these identifiers and bus
   errors. Returns it, or a negative errno: ENODEV without the interface, ENETDOWN where it is down. */
static inline int can_attach(const char *interface, const can_choice *choices, int count) {
    struct ifreq request;
    struct can_filter filters[CAN_MOST_CHOICES];
    struct sockaddr_can address;
    can_err_mask_t errors = CAN_ERR_BUSOFF | CAN_ERR_RESTARTED;
    int error = 0;
    if (count < 0 || count > CAN_MOST_CHOICES) return -EINVAL;
    if (strlen(interface) >= sizeof request.ifr_name) return -ENODEV;
    int can = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
    if (can < 0) return -errno;
    for (int i = 0; i < count; i++) {
        filters[i].can_id = choices[i].id | (choices[i].is_extended ? CAN_EFF_FLAG : 0);
        filters[i].can_mask = choices[i].mask | CAN_EFF_FLAG | CAN_RTR_FLAG;
    }
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, interface, sizeof request.ifr_name - 1);
    memset(&address, 0, sizeof address);
    address.can_family = AF_CAN;
    if (ioctl(can, SIOCGIFFLAGS, &request) < 0)
        error = errno;
    else if (!(request.ifr_flags & IFF_UP))
        error = ENETDOWN;
    else if (ioctl(can, SIOCGIFINDEX, &request) < 0)
        error = errno;
    if (error == 0) {
        address.can_ifindex = request.ifr_ifindex;
        if (setsockopt(can, SOL_CAN_RAW, CAN_RAW_FILTER, filters, count * sizeof *filters) < 0 ||
            setsockopt(can, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) < 0 ||
            bind(can, (struct sockaddr *)&address, sizeof address) < 0)
            error = errno;
    }
    if (error == 0) return can;
    close(can);
    return -error;
}

/* Reads one frame: 1; 0 where there is none; or a negative errno. */
static inline int can_next(int can, can_word *word) {
    struct can_frame frame;
    ssize_t size = read(can, &frame, sizeof frame);
    if (size < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    if (size != sizeof frame) return -EIO;
    memset(word, 0, sizeof *word);
    word->is_extended = (frame.can_id & CAN_EFF_FLAG) != 0;
    word->is_remote = (frame.can_id & CAN_RTR_FLAG) != 0;
    word->id = frame.can_id & (word->is_extended ? CAN_EFF_MASK : CAN_SFF_MASK);
    if (frame.can_id & CAN_ERR_FLAG) word->error = frame.can_id & CAN_ERR_MASK;
    word->count = frame.can_dlc > 8 ? 8 : frame.can_dlc;
    memcpy(word->data, frame.data, word->count);
    return 1;
}

/* Sends a frame of 11 bits and eight bytes: 0, or a negative errno. */
static inline int can_send(int can, uint32_t id, uint64_t data) {
    struct can_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.can_id = id & CAN_SFF_MASK;
    frame.can_dlc = 8;
    for (int i = 0; i < 8; i++) frame.data[i] = (data >> (8 * i)) & 0xff;
    return write(can, &frame, sizeof frame) == sizeof frame ? 0 : -errno;
}
