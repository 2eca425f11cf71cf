// SPDX-License-Identifier: Apache-2.0
// Written by .ci/check-languages --write, from po/*.po.

#include "language_texts.h"

#include <string.h>

// #embed is C23, which Swift's compiler offers in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char de[] = {
#embed "texts/de.txt"
    , 0};
static const unsigned char fr[] = {
#embed "texts/fr.txt"
    , 0};
static const unsigned char es[] = {
#embed "texts/es.txt"
    , 0};
static const unsigned char pt[] = {
#embed "texts/pt.txt"
    , 0};
static const unsigned char it[] = {
#embed "texts/it.txt"
    , 0};
static const unsigned char nl[] = {
#embed "texts/nl.txt"
    , 0};
static const unsigned char pl[] = {
#embed "texts/pl.txt"
    , 0};
static const unsigned char cs[] = {
#embed "texts/cs.txt"
    , 0};
static const unsigned char ro[] = {
#embed "texts/ro.txt"
    , 0};
static const unsigned char tr[] = {
#embed "texts/tr.txt"
    , 0};
static const unsigned char uk[] = {
#embed "texts/uk.txt"
    , 0};

const char *language_text(const char *code) {
    if (strcmp(code, "de") == 0) return (const char *)de;
    if (strcmp(code, "fr") == 0) return (const char *)fr;
    if (strcmp(code, "es") == 0) return (const char *)es;
    if (strcmp(code, "pt") == 0) return (const char *)pt;
    if (strcmp(code, "it") == 0) return (const char *)it;
    if (strcmp(code, "nl") == 0) return (const char *)nl;
    if (strcmp(code, "pl") == 0) return (const char *)pl;
    if (strcmp(code, "cs") == 0) return (const char *)cs;
    if (strcmp(code, "ro") == 0) return (const char *)ro;
    if (strcmp(code, "tr") == 0) return (const char *)tr;
    if (strcmp(code, "uk") == 0) return (const char *)uk;
    return NULL;
}
