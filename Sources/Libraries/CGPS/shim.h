#ifndef GEOFENCED_CGPS_SHIM_H
#define GEOFENCED_CGPS_SHIM_H

#include <gps.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#if GPSD_API_MAJOR_VERSION < 11
#error "libgps of gpsd 3.22 or later is needed"
#endif

/* What a TPV says, the same whatever the version of libgps: struct gps_data_t has changed its shape
 * with every API version from 11 to 16. Not stated is NAN, and 0 for the time. */
struct geofenced_tpv {
    int mode;
    int64_t seconds;
    int64_t nanoseconds;
    double latitude, longitude;
    double eph, epx, epy;
    double speed, track;
};

static inline struct gps_data_t *geofenced_gps_new(void)
{
    return (struct gps_data_t *)calloc(1, sizeof(struct gps_data_t));
}

static inline void geofenced_gps_free(struct gps_data_t *data)
{
    free(data);
}

/* Decodes one TPV; line is NUL-terminated and may be written to. gps_unpack() returns 0 even for
 * what it could not read, but then sets no flag. */
static inline int geofenced_gps_tpv(
    struct gps_data_t *data, char *line, struct geofenced_tpv *tpv)
{
    data->set = 0;
    gps_clear_fix(&data->fix);
    (void)gps_unpack(line, data);
    if (0 == (data->set & MODE_SET))
        return 0;
    tpv->mode = data->fix.mode;
    tpv->seconds = (int64_t)data->fix.time.tv_sec;
    tpv->nanoseconds = (int64_t)data->fix.time.tv_nsec;
    tpv->latitude = data->fix.latitude;
    tpv->longitude = data->fix.longitude;
    tpv->eph = data->fix.eph;
    tpv->epx = data->fix.epx;
    tpv->epy = data->fix.epy;
    tpv->speed = data->fix.speed;
    tpv->track = data->fix.track;
    return 1;
}

#endif
