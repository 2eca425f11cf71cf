#include <errno.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>

/* The character device of GPIO chips, version 2 of its interface (Linux 5.10), documented in
   <linux/gpio.h>. The requests of ioctl(2) are macros, and the line is an array of 64. */

/* Requests the line of an open chip as an input that reports both edges; `debounce` in us. Returns
   a descriptor that the caller closes, or a negative errno. */
static inline int gpio_request_input(
    int chip, unsigned int offset, int is_active_low, unsigned int debounce, const char *consumer) {
    struct gpio_v2_line_request request;
    memset(&request, 0, sizeof request);
    request.offsets[0] = offset;
    request.num_lines = 1;
    strncpy(request.consumer, consumer, sizeof request.consumer - 1);
    request.config.flags =
        GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
    if (is_active_low) request.config.flags |= GPIO_V2_LINE_FLAG_ACTIVE_LOW;
    if (debounce > 0) {
        request.config.num_attrs = 1;
        request.config.attrs[0].mask = 1;
        request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
        request.config.attrs[0].attr.debounce_period_us = debounce;
    }
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -errno : request.fd;
}

/* Whether a requested line is active: 0, 1, or a negative errno. */
static inline int gpio_value(int line) {
    struct gpio_v2_line_values values = {.bits = 0, .mask = 1};
    if (ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0) return -errno;
    return (int)(values.bits & 1);
}

/* Read from a requested line: at each edge one of these, or several. */
typedef struct gpio_v2_line_event gpio_line_event;
static const unsigned int gpio_rising = GPIO_V2_LINE_EVENT_RISING_EDGE;
