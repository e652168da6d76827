/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples_private - what the files of samples share.
 */
#ifndef REPORTS_SAMPLES_PRIVATE_H
#define REPORTS_SAMPLES_PRIVATE_H

#include "reports/jsonvalue.h"
#include "reports/samples.h"

extern const struct samples_format samples_json;

/* The members that are a cell's settings; `w` NULL: null. The same. */
bool samples_put_settings(json_t *object, const struct workload *w);

/* The members that are about one phase. False: out of memory. */
bool samples_put_phase(json_t *object, const struct record_result *row);

#endif
