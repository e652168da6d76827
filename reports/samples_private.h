/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples_private - what the files of samples share.
 */
#ifndef REPORTS_SAMPLES_PRIVATE_H
#define REPORTS_SAMPLES_PRIVATE_H

#include "reports/samples.h"

extern const struct samples_format samples_json;

#endif
