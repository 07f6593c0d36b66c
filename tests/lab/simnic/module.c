// SPDX-License-Identifier: GPL-2.0
/* What is plugged in: a module whose memory can be changed at any time, the same for all ports. Its flags stay what they are set to: no reading clears them. */
#include <linux/moduleparam.h>

#include "simnic.h"

enum { LOWER, UPPER, PAGE_1, PAGE_2, PAGE_3, PAGE_11, DIAGNOSTICS, PARTS, PART = 128 };
enum { NONE = -1, MUTE = 0, SFP = 0x03, QSFP28 = 0x11, QSFP_DD = 0x18 };

static u8 memory[PARTS][PART];
static int optic = NONE;

/* Of one byte: the part of the memory, -1 where there is none. */
static int part_of(u8 i2c, u8 page, u32 offset)
{
	if (i2c == 0x51)
		return offset < PART ? DIAGNOSTICS : -1;
	if (offset < PART)
		return LOWER;
	switch (page) {
	case 0: return UPPER;
	case 1: return PAGE_1;
	case 2: return PAGE_2;
	case 3: return PAGE_3;
	case 0x11: return PAGE_11;
	}
	return -1;
}

static void put16(int part, unsigned int at, u16 value)
{
	memory[part][at % PART] = value >> 8;
	memory[part][at % PART + 1] = value;
}

static void put_limits(int part, unsigned int at, u16 high, u16 low, u16 high_warning, u16 low_warning)
{
	put16(part, at, high);
	put16(part, at + 2, low);
	put16(part, at + 4, high_warning);
	put16(part, at + 6, low_warning);
}

/* 41.5 C, 3.3 V and in each lane 0.8 mW received, 1 mW sent with 7 mA, all within the limits. */
static void put_values(int module, unsigned int celsius, unsigned int volt, int lanes, unsigned int rx, unsigned int bias, unsigned int tx, int count)
{
	int i;

	put16(module, celsius, 0x2980);
	put16(module, volt, 33000);
	for (i = 0; i < count; i++) {
		put16(lanes, rx + 2 * i, 8000);
		put16(lanes, bias + 2 * i, 3500);
		put16(lanes, tx + 2 * i, 10000);
	}
}

static void put_all_limits(int part, unsigned int celsius, unsigned int volt, unsigned int rx, unsigned int bias, unsigned int tx)
{
	put_limits(part, celsius, 75 << 8, 0xfb00, 70 << 8, 0);
	put_limits(part, volt, 36300, 29700, 34650, 31350);
	put_limits(part, rx, 21878, 400, 17378, 1000);
	put_limits(part, bias, 6500, 500, 6000, 1000);
	put_limits(part, tx, 21878, 500, 17378, 1000);
}

static void put_names(int part, unsigned int vendor, unsigned int number)
{
	memcpy(memory[part] + vendor % PART, "Optics Inc      ", 16);
	memcpy(memory[part] + number % PART, "SIM-SR4         ", 16);
}

static int set_optic(const char *text, const struct kernel_param *param)
{
	int err = param_set_int(text, param);

	if (err)
		return err;
	memset(memory, 0, sizeof(memory));
	memory[LOWER][0] = optic;
	memory[UPPER][0] = optic;
	switch (optic) {
	case SFP:
		put_names(LOWER, 20, 40);
		memory[LOWER][92] = 0x68;
		memory[LOWER][94] = 8;
		put_values(DIAGNOSTICS, 96, 98, DIAGNOSTICS, 104, 100, 102, 1);
		put_all_limits(DIAGNOSTICS, 0, 8, 32, 16, 24);
		break;
	case QSFP28:
		put_names(UPPER, 148, 168);
		memory[LOWER][1] = 8;
		memory[UPPER][220 - PART] = 0x0c;
		put_values(LOWER, 22, 26, LOWER, 34, 42, 50, 4);
		put_all_limits(PAGE_3, 128, 144, 176, 184, 192);
		break;
	case QSFP_DD:
		put_names(UPPER, 129, 148);
		memory[LOWER][1] = 0x50;
		memory[LOWER][3] = 3 << 1;
		memory[PAGE_1][159 - PART] = 3;
		memory[PAGE_1][160 - PART] = 7;
		memset(memory[PAGE_11], 0x44, 4);
		put_values(LOWER, 14, 16, PAGE_11, 186, 170, 154, 8);
		put_all_limits(PAGE_2, 128, 136, 192, 184, 176);
		break;
	}
	return 0;
}

static const struct kernel_param_ops optic_ops = { .set = set_optic, .get = param_get_int };
module_param_cb(optic, &optic_ops, &optic, 0644);
MODULE_PARM_DESC(optic, "identifier of the module: 3 SFP, 17 QSFP28, 24 QSFP-DD, all well; 0 for one that does not answer, -1 for a driver that reads none");

static int set_byte(const char *text, const struct kernel_param *param)
{
	unsigned int i2c, page, offset, value;
	int part;

	if (sscanf(text, "%x %x %u %x", &i2c, &page, &offset, &value) != 4 || offset >= 2 * PART)
		return -EINVAL;
	part = part_of(i2c, page, offset);
	if (part < 0)
		return -EINVAL;
	memory[part][offset % PART] = value;
	return 0;
}

static const struct kernel_param_ops byte_ops = { .set = set_byte };
module_param_cb(optic_byte, &byte_ops, NULL, 0200);
MODULE_PARM_DESC(optic_byte, "I2C PAGE OFFSET VALUE: a byte of its memory, all hexadecimal but for the offset");

static int sim_module_eeprom(struct net_device *dev, const struct ethtool_module_eeprom *page, struct netlink_ext_ack *extack)
{
	int part = part_of(page->i2c_address, page->page, page->offset);

	if (optic == NONE)
		return -EOPNOTSUPP;
	if (optic == MUTE)
		return -EIO;
	if (part < 0 || (page->i2c_address == 0x51 && optic != SFP) || page->offset % PART + page->length > PART)
		return -EINVAL;
	memcpy(page->data, memory[part] + page->offset % PART, page->length);
	return page->length;
}

void sim_module_init(struct sim_port *p)
{
	p->ops.get_module_eeprom_by_page = sim_module_eeprom;
}
