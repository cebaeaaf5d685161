/*-------------------------------------------------------------------------
 *
 * golden.c
 *	  Documents whose bytes are frozen.
 *
 * The bytes were written by the encoder and checked one by one against the
 * format's README.  Spaces set apart, in this order: header, shape table,
 * root entry, and of a container count, runs, keys, entries, anchors, ends,
 * and values.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "golden.h"

const Golden golden_documents[] = {
	/* scalars */
	{"null", 32, "101f 00"},
	{"false", 1, "1000 01"},
	{"true", 256, "10ff 02"},
	{"0", 32, "101f 03"},
	{"28", 32, "101f 1f"},
	{"29", 32, "101f 40 1d"},
	{"-1", 32, "101f 40 ff"},
	{"128", 32, "101f 40 8000"},
	{"-9223372036854775808", 32, "101f 40 0000000000000080"},
	{"0.00", 32, "101f 60 02"},
	{"12.50", 32, "101f 60 02 e204"},
	{"-0.5", 32, "101f 60 01 fb"},
	{"-123456789012345678901234567890.5", 32,
		"101f 80 0009 0007 4000 0001"
	" 000c 0d80 1ed2 04d2 162e 2334 0d80 1ed2 1388"},
	{"1e-300", 32, "101f 80 0001 ffb5 0000 012c 0001"},
	{"\"\"", 32, "101f 20"},
	{"\"h\\u00e9\"", 32, "101f 20 68c3a9"},

	/* arrays */
	{"[]", 32, "101f a0 00"},
	{"[1, 2.5, \"abc\", null, true, [false]]", 32,
	"101f a0 0c 0462230002a2 0119 616263 0301"},
	{"[1000, 1001, -2]", 32, "101f a0 07 42 e803 e903 feff"},
	{"[0.25, 100.00, -0.001]", 32, "101f a0 07 63 021900 021027 03ffff"},
	{"[true, true, true, true]", 32, "101f a0 09 02"},
	{"[[], {}, \"\", 29]", 1, "1000 a0 08 a1c12041 0100 0200 0200 00 00 1d"},
	{"[\"a\", \"a text of thirty-one bytes, big\", \"bc\", {\"k\": 1},"
		" \"another text that is big: 40 bytes it is\"]", 2,
		"1001 a0 0a 213f22c43f 0101 0701 1f 47 61 6263 01116b04"
		" 612074657874206f66207468697274792d6f6e652062797465732c20626967"
		" 616e6f746865722074657874207468617420697320626967"
	" 3a203430206279746573206974206973"},
	{"[1, \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	"xxxxxxxxxxxxxxxxxxxx\", 2]", 1, "1000 a0 06 043f05 00000000 00000100 0001 78*256"},
	{"[\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"]", 32,
	"101f a0 04 3f3f 001f 0101 78*256 79*31"},

	/* objects */
	{"{}", 256, "10ff c0 00"},
	{"{\"b\": 1, \"a\": 2, \"b\": 3, \"\": null, \"ab\": [[]]}", 32,
	"101f c0 04 011211 616261 62 000506a3 03a100"},
	{"{\"id\": 7, \"name\": \"Ada\", \"tags\": [\"x\", \"y\"],"
		" \"note\": \"A value longer than thirty bytes.\"}", 3,
		"1002 c0 04 2123 6964 6e616d65 6e6f7465 74616773 0a233fa4 0301 21 416461 05217879"
	" 412076616c7565206c6f6e676572207468616e207468697274792062797465732e"},
	{"{\"a\": 0, \"b\": 1, \"c\": 2, \"d\": 3, \"e\": 4, \"f\": 5, \"g\": 6, \"h\": 7, \"i\": 8,"
		" \"j\": 9, \"k\": 10, \"l\": 11, \"m\": 12, \"n\": 13, \"o\": 14, \"p\": 15, \"\": null,"
		" \"key of twenty bytes.\": true}", 16,
		"100f c0 12 01 000110 001301 6162636465666768696a6b6c6d6e6f70"
		" 6b6579206f66207477656e74792062797465732e 00030405060708090a0b0c0d0e0f10111202"
	" 0000"},

	/* with a shape table: one list of keys; two, one used inside the other */
	{"[{\"id\": 1, \"name\": \"Ada\", \"score\": 9.5}, {\"id\": 2, \"name\": \"Grace\", \"score\": 8.75},"
		" {\"id\": 3, \"name\": \"Edsger\", \"score\": -1}, {\"name\": \"Barbara\", \"id\": 4, \"score\": null},"
		" {\"id\": 5, \"name\": \"Tony\", \"score\": 7}, {\"id\": 6, \"name\": \"Don\", \"score\": 8}]", 32,
		"111f 01 0f 0f 03 212111 6964 6e616d65 73636f7265 a0 0c e9ecebebe8e7"
		" 00 042362 416461 015f 00 052563 4772616365 026b03 00 062641 456473676572 ff"
	" 00 072700 42617262617261 00 08240a 546f6e79 00 09230b 446f6e"},
};

const uint32_t golden_count = sizeof(golden_documents) / sizeof(golden_documents[0]);

static unsigned
digit(char c)
{
	const char *at = c == '\0' ? NULL : strchr("0123456789abcdef", c);

	if (at == NULL)
		abort();
	return (unsigned) (at - "0123456789abcdef");
}

/* The size of what hex stands for; the bytes too if out is not NULL. */
static uint32_t
decode(const char *hex, uint8_t *out)
{
	uint32_t	size = 0;

	while (*hex != '\0')
	{
		uint8_t		byte;
		unsigned long times = 1;

		if (*hex == ' ')
		{
			hex++;
			continue;
		}
		byte = (uint8_t) (digit(hex[0]) << 4 | digit(hex[1]));
		hex += 2;
		if (*hex == '*')
			times = strtoul(hex + 1, (char **) &hex, 10);
		for (; times > 0; times--, size++)
			if (out != NULL)
				out[size] = byte;
	}
	return size;
}

uint8_t *
golden_bytes(Heap *heap, const char *hex, uint32_t *size)
{
	uint8_t    *bytes;

	*size = decode(hex, NULL);
	bytes = heap_lend(heap, *size);
	decode(hex, bytes);
	return bytes;
}
