#ifndef GEOFENCED_MAP_ASSETS_H
#define GEOFENCED_MAP_ASSETS_H

#include <stddef.h>

/* A file that was compiled in; its memory lives as long as the program. */
struct map_asset {
    const unsigned char *bytes;
    size_t length;
};

/* The markup of the page, of its body alone. */
struct map_asset map_asset_body(void);
/* The style of the page. */
struct map_asset map_asset_style(void);
/* The same of the board of a fleet. */
struct map_asset map_asset_board_body(void);
struct map_asset map_asset_board_style(void);
struct map_asset map_asset_board_script(size_t index);
size_t map_asset_board_script_count(void);
/* The scripts of the page, each after those that it uses. */
struct map_asset map_asset_script(size_t index);
size_t map_asset_script_count(void);
/* What shows the drive that is in the page; the last of the scripts of a file. */
struct map_asset map_asset_boot(void);
/* What shows a drive that is under way, instead of it: each script after those that it uses. */
struct map_asset map_asset_live_script(size_t index);
size_t map_asset_live_script_count(void);
/* Leaflet, from Debian's libjs-leaflet, and the notice that its licence asks for. */
struct map_asset map_asset_leaflet_script(void);
struct map_asset map_asset_leaflet_style(void);
struct map_asset map_asset_leaflet_notice(void);

#endif
