/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attr - the compiler attributes our declarations use, named once.
 */
#ifndef CORE_ATTR_H
#define CORE_ATTR_H

#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define MUST_USE           __attribute__((warn_unused_result))

#endif
