/* The files of the board of a fleet, like those of the map in assets.c: in a file of its own, so that
 * a program has no more than the page that it shows. */
#include "assets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script_measures[] = {
#embed "page/measures.js"
};
static const unsigned char script_words[] = {
#embed "page/words.js"
};
static const unsigned char script_live_feed[] = {
#embed "page/livefeed.js"
};
static const unsigned char board_body[] = {
#embed "page/board.html"
};
static const unsigned char board_style[] = {
#embed "page/kit.css"
    ,
#embed "page/board.css"
};
static const unsigned char script_board_fleet[] = {
#embed "page/boardfleet.js"
};
static const unsigned char script_board[] = {
#embed "page/board.js"
};
static const unsigned char script_board_day[] = {
#embed "page/boardday.js"
};
static const unsigned char script_canvas[] = {
#embed "page/canvas.js"
};
static const unsigned char script_board_layer[] = {
#embed "page/boardlayer.js"
};
static const unsigned char script_board_map[] = {
#embed "page/boardmap.js"
};
static const unsigned char script_board_boot[] = {
#embed "page/boardboot.js"
};

#define ASSET(array) ((struct map_asset){array, sizeof array})

struct map_asset map_asset_board_body(void) { return ASSET(board_body); }

struct map_asset map_asset_board_style(void) { return ASSET(board_style); }

size_t map_asset_board_script_count(void) { return 10; }

struct map_asset map_asset_board_script(size_t index) {
    const struct map_asset scripts[] = {
        ASSET(script_measures),    ASSET(script_words),       ASSET(script_live_feed),
        ASSET(script_board_fleet), ASSET(script_board_day),   ASSET(script_canvas),
        ASSET(script_board_layer), ASSET(script_board_map),   ASSET(script_board),
        ASSET(script_board_boot),
    };
    return index < 10 ? scripts[index] : (struct map_asset){0, 0};
}
