/* The files of the map page, in the constants of the program: a page that is one file needs no
 * other file to be made. The compiler notes them as dependencies. */
#include "assets.h"

/* #embed is C23, which Swift's compiler offers in every mode. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char body[] = {
#embed "page/body.html"
};
static const unsigned char style[] = {
#embed "page/kit.css"
    ,
#embed "page/map.css"
};
static const unsigned char script_measures[] = {
#embed "page/measures.js"
};
static const unsigned char script_drive[] = {
#embed "page/drive.js"
};
static const unsigned char script_words[] = {
#embed "page/words.js"
};
static const unsigned char script_track[] = {
#embed "page/track.js"
};
static const unsigned char script_canvas[] = {
#embed "page/canvas.js"
};
static const unsigned char script_layer[] = {
#embed "page/layer.js"
};
static const unsigned char script_plot[] = {
#embed "page/plot.js"
};
static const unsigned char script_lists[] = {
#embed "page/lists.js"
};
static const unsigned char script_card[] = {
#embed "page/card.js"
};
static const unsigned char script_timebar[] = {
#embed "page/timebar.js"
};
static const unsigned char script_page[] = {
#embed "page/page.js"
};
static const unsigned char script_boot[] = {
#embed "page/boot.js"
};
static const unsigned char script_live_drive[] = {
#embed "page/livedrive.js"
};
static const unsigned char script_live_feed[] = {
#embed "page/livefeed.js"
};
static const unsigned char script_live_page[] = {
#embed "page/livepage.js"
};
#define ASSET(array) ((struct map_asset){array, sizeof array})

struct map_asset map_asset_body(void) { return ASSET(body); }

struct map_asset map_asset_style(void) { return ASSET(style); }

size_t map_asset_script_count(void) { return 11; }

struct map_asset map_asset_script(size_t index) {
    const struct map_asset scripts[] = {
        ASSET(script_measures), ASSET(script_drive), ASSET(script_words), ASSET(script_track),
        ASSET(script_canvas),   ASSET(script_layer), ASSET(script_plot),  ASSET(script_lists),
        ASSET(script_card),     ASSET(script_timebar), ASSET(script_page),
    };
    return index < 11 ? scripts[index] : (struct map_asset){0, 0};
}

struct map_asset map_asset_boot(void) { return ASSET(script_boot); }

size_t map_asset_live_script_count(void) { return 3; }

struct map_asset map_asset_live_script(size_t index) {
    const struct map_asset scripts[] = {
        ASSET(script_live_drive), ASSET(script_live_feed), ASSET(script_live_page),
    };
    return index < 3 ? scripts[index] : (struct map_asset){0, 0};
}
