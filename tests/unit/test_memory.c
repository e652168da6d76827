/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/memory.h"
#include "tests/unit/unit.h"

static void a_buffer_begins_where_a_huge_page_may(void **state)
{
	unsigned char *memory = memory_new(4097, 4097);

	(void)state;
	assert_non_null(memory);
	assert_int_equal((uintptr_t)memory % MEMORY_PAGE_BYTES, 0);
	memset(memory, 1, 4097);
	memory_free(memory);
}

static void what_no_address_space_holds_is_not_there(void **state)
{
	(void)state;
	assert_null(memory_new(SIZE_MAX, 0));
	memory_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_buffer_begins_where_a_huge_page_may),
		cmocka_unit_test(what_no_address_space_holds_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
