/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit - what every cmocka program includes, in the order cmocka wants it.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
