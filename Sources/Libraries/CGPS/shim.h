#ifndef GEOFENCED_CGPS_SHIM_H
#define GEOFENCED_CGPS_SHIM_H

#include <gps.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* libgps of gpsd 3.22 (API 11, Debian 12), 3.25 (14, Debian 13) and 3.27 (16, Debian sid) are what is
 * tried. Each has a soname of its own, so that a program runs with the one it was compiled with. */
#if GPSD_API_MAJOR_VERSION < 11
#error "libgps of gpsd 3.22 or later is needed"
#endif

/* struct gps_data_t has changed its shape with every API version from 11 to 16; what is taken from
 * it has not. A later version where that is no longer so must not compile, rather than be converted. */
#define GEOFENCED_GPS_IS(member, type) \
    _Static_assert(_Generic(((struct gps_data_t *)0)->member, type: 1, default: 0), \
                   "libgps: " #member " is no longer of type " #type)
GEOFENCED_GPS_IS(set, gps_mask_t);
GEOFENCED_GPS_IS(fix.mode, int);
GEOFENCED_GPS_IS(fix.time, struct timespec);
GEOFENCED_GPS_IS(fix.latitude, double);
GEOFENCED_GPS_IS(fix.longitude, double);
GEOFENCED_GPS_IS(fix.eph, double);
GEOFENCED_GPS_IS(fix.epx, double);
GEOFENCED_GPS_IS(fix.epy, double);
GEOFENCED_GPS_IS(fix.speed, double);
GEOFENCED_GPS_IS(fix.track, double);
#undef GEOFENCED_GPS_IS

/* What a TPV says, the same whatever the version of libgps. Not stated is NAN, and 0 for the time. */
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

/* Decodes one TPV; line is NUL-terminated and may be written to, which API 11 does not promise
 * against. gps_unpack() returns 0 even for what it could not read, but then sets no flag. */
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
