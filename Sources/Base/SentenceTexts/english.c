/* The sentences that every program has, in its constants. The compiler notes them as a dependency. */
#include "sentence_texts.h"

/* #embed is C23, which Swift's compiler offers in every mode. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char english[] = {
#embed "en.txt"
    , 0};

const char *sentences_in_english(void) { return (const char *)english; }
