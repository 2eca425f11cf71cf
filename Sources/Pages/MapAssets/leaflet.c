/* Leaflet, for the pages with a map: in a file of its own, like those of each page. */
#include "assets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char leaflet_script[] = {
#embed "/usr/share/javascript/leaflet/leaflet.min.js"
};
static const unsigned char leaflet_style[] = {
#embed "/usr/share/javascript/leaflet/leaflet.css"
};
static const unsigned char leaflet_notice[] = {
#embed "page/leaflet-notice.txt"
};

#define ASSET(array) ((struct map_asset){array, sizeof array})

struct map_asset map_asset_leaflet_script(void) { return ASSET(leaflet_script); }

struct map_asset map_asset_leaflet_style(void) { return ASSET(leaflet_style); }

struct map_asset map_asset_leaflet_notice(void) { return ASSET(leaflet_notice); }
