// Stands in for the parser of arguments that public examples in C include from inside of OCCA. The options are JSON: name,
// shortname, with_arg, default_value. What was given lies under options/NAME.
#ifndef OCCA_STANDINS_C_CLI_H
#define OCCA_STANDINS_C_CLI_H

#include <occa.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *occaStandinText(occaJson option, const char *key) {
    const occaType value = occaJsonObjectGet(option, key, occaUndefined);
    return occaIsUndefined(value) ? "" : occaJsonGetString(value);
}

static bool occaStandinIs(const char *word, occaJson option) {
    const char *name = occaStandinText(option, "name"), *letter = occaStandinText(option, "shortname");
    if (strncmp(word, "--", 2) == 0) return strcmp(word + 2, name) == 0;
    return word[0] == '-' && letter[0] != '\0' && strcmp(word + 1, letter) == 0;
}

static occaJson occaCliParseArgs(const int argc, const char **argv, const char *description) {
    occaJson config = occaJsonParse(description), all = occaCreateJson(), given = occaJsonParse("{}");
    const occaJson options = occaJsonObjectGet(config, "options", occaUndefined);
    const int count = occaJsonArraySize(options);
    int i, k;
    for (k = 0; k < count; ++k) {
        const occaJson option = occaJsonArrayGet(options, k);
        const occaType otherwise = occaJsonObjectGet(option, "default_value", occaUndefined);
        if (!occaIsUndefined(otherwise)) occaJsonObjectSet(given, occaStandinText(option, "name"), otherwise);
    }
    for (i = 1; i < argc; ++i) {
        for (k = 0; k < count && !occaStandinIs(argv[i], occaJsonArrayGet(options, k)); ++k) {
        }
        if (k == count) {
            fprintf(stderr, "not understood: %s\n", argv[i]);
            exit(1);
        }
        const occaJson option = occaJsonArrayGet(options, k);
        const occaType wanted = occaJsonObjectGet(option, "with_arg", occaUndefined);
        occaType value = occaTrue;
        if (!occaIsUndefined(wanted) && occaJsonGetBoolean(wanted) && i + 1 < argc) value = occaString(argv[++i]);
        occaJsonObjectSet(given, occaStandinText(option, "name"), value);
    }
    occaJsonObjectSet(all, "options", given);
    occaFree(&given);
    occaFree(&config);
    return all;
}

#endif
