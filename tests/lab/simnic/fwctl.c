// SPDX-License-Identifier: GPL-2.0
/*
 * A double of the kernel's fwctl, which Debian's kernels have not: a class of that name with a device for each port. It takes what drivers/fwctl/main.c and the
 * drivers of mlx5 and bnxt below it take for reading in Linux 7.3, and refuses all else. The answers are made up by the vendors' layouts: no NIC gave them.
 */
#include <linux/cdev.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "simnic.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

static char *fwctl = "";
module_param(fwctl, charp, 0444);
MODULE_PARM_DESC(fwctl, "the firmware that each port has: mlx5, bnxt, other, or none");
static unsigned int np_priorities = 0xff, rp_priorities = 0xff;
module_param(np_priorities, uint, 0644);
module_param(rp_priorities, uint, 0644);
MODULE_PARM_DESC(np_priorities, "mlx5: mask of the priorities that are answered with notifications; rp_priorities: of those that slow down");
static unsigned int fwctl_refuses;
module_param(fwctl_refuses, uint, 0644);
MODULE_PARM_DESC(fwctl_refuses, "mlx5: number of the register that is not known; bnxt: type of the request");
static unsigned int queue_of_3 = 4;
module_param(queue_of_3, uint, 0644);
MODULE_PARM_DESC(queue_of_3, "bnxt: the CoS queue of priority 3");
static unsigned int fwctl_sleeps;
module_param(fwctl_sleeps, uint, 0644);
MODULE_PARM_DESC(fwctl_sleeps, "how long an answer takes, in ms");

/* include/uapi/fwctl/fwctl.h, which older kernels have not */
struct info {
	u32 size, flags, device_type, device_data_len;
	u64 device_data;
};
struct rpc {
	u32 size, scope, in_len, out_len;
	u64 in, out;
};
enum { TYPE = 0x9a, READ_ONLY = 1, OTHER = 4, MLX5 = 1, BNXT = 3, LONGEST = 4096, MAILBOX = 16, PORTS = 32 };

static int major;
static unsigned int made;

static u32 device_type(void)
{
	if (!strcmp(fwctl, "mlx5"))
		return MLX5;
	return strcmp(fwctl, "bnxt") ? OTHER : BNXT;
}

static void refuse(u8 *out)
{
	out[0] = 3;
	put_unaligned_be32(0x1c4, out + 4);
}

static void access_register(const u8 *in, u32 in_len, u8 *out, u32 out_len)
{
	u16 id = get_unaligned_be16(in + 10);

	if (id == fwctl_refuses)
		return refuse(out);
	switch (id) {
	case 0x402c: /* ROCE_ACCL: a choice of the first four, of which the first and the third are on */
		if (in_len != MAILBOX + 0x80 || out_len != in_len)
			return refuse(out);
		put_unaligned_be32(0xf, out + MAILBOX);
		put_unaligned_be32(0x5, out + MAILBOX + 4);
		return;
	case 0x9024: { /* MNVDA: items of port 1 alone, of class 1 */
		u32 type, length;

		if (in_len != MAILBOX + 0x10c || out_len != in_len)
			return refuse(out);
		length = get_unaligned_be32(in + MAILBOX) & 0x1ff;
		type = get_unaligned_be32(in + MAILBOX + 4);
		if (type != 0x01010107 && type != 0x01010108)
			return refuse(out);
		put_unaligned_be32(length, out + MAILBOX);
		put_unaligned_be32(type, out + MAILBOX + 4);
		if (type == 0x01010107)
			put_unaligned_be32(np_priorities & 0xff, out + MAILBOX + 12);
		else
			put_unaligned_be32(48 << 8 | 6, out + MAILBOX + 12 + 64);
		return;
	}
	}
	refuse(out);
}

/* drivers/fwctl/mlx5/main.c mlx5ctl_validate_rpc, as far as anything is asked here */
static int mlx5_rpc(const u8 *in, u32 in_len, u8 *out, u32 out_len)
{
	u8 point, priority;

	if (in_len < MAILBOX || out_len < MAILBOX)
		return -EMSGSIZE;
	point = in[11] & 0xf;
	priority = in[11] >> 4;
	switch (get_unaligned_be16(in)) {
	case 0x822: /* QUERY_CONG_STATUS */
		if (priority >= SIM_TCS || (point != 1 && point != 2))
			refuse(out);
		else if ((point == 1 ? rp_priorities : np_priorities) & BIT(priority))
			out[12] = 0x80;
		return 0;
	case 0x824: /* QUERY_CONG_PARAMS */
		if (out_len != MAILBOX + 0x100) {
			refuse(out);
		} else if (point == 2) {
			put_unaligned_be32(4, out + MAILBOX + 20);
			put_unaligned_be32(48 << 8 | 6, out + MAILBOX + 24);
		} else {
			put_unaligned_be32(5, out + MAILBOX + 36);
			put_unaligned_be32(1023, out + MAILBOX + 104);
		}
		return 0;
	case 0x805: /* ACCESS_REG, of which op_mod 1 is a read */
		if (get_unaligned_be16(in + 6) != 1)
			return -EBADMSG;
		access_register(in, in_len, out, out_len);
		return 0;
	}
	return -EBADMSG;
}

static void put_queue(u8 *at, u8 algorithm, u8 weight)
{
	at[0] = algorithm;
	at[2] = weight;
}

/* drivers/fwctl/bnxt/main.c bnxtctl_validate_rpc, likewise */
static int bnxt_rpc(const u8 *in, u32 in_len, u8 *out, u32 out_len)
{
	u16 type;

	if (in_len < 16 || in_len > 128 || out_len < 8)
		return -EINVAL;
	type = get_unaligned_le16(in);
	if (type != 0x37 && type != 0x39)
		return -EPERM;
	put_unaligned_le16(type, out + 2);
	put_unaligned_le16(out_len, out + 6);
	if (type == fwctl_refuses || in_len != 24 || out_len != (type == 0x37 ? 24 : 112)) {
		put_unaligned_le16(2, out);
	} else if (type == 0x37) {
		out[8 + 3] = queue_of_3;
		out[8 + 6] = 5;
	} else {
		put_queue(out + 20, 1, 40);
		out[23] = 4;
		put_queue(out + 32, 1, 60);
		out[35] = 5;
		put_queue(out + 44, 0, 0);
		put_queue(out + 56, 1, 99); /* of a queue 0 again, which is not there */
	}
	return 0;
}

static long info(void __user *user)
{
	struct info cmd;

	if (copy_from_user(&cmd, user, sizeof(cmd)))
		return -EFAULT;
	if (cmd.size < sizeof(cmd))
		return -EINVAL;
	if (cmd.flags)
		return -EOPNOTSUPP;
	cmd.device_type = device_type();
	cmd.device_data_len = 0;
	return copy_to_user(user, &cmd, sizeof(cmd)) ? -EFAULT : 0;
}

static long rpc(void __user *user)
{
	struct rpc cmd;
	u8 *in, *out;
	long err;

	if (copy_from_user(&cmd, user, sizeof(cmd)))
		return -EFAULT;
	if (cmd.size < sizeof(cmd))
		return -EINVAL;
	if (cmd.scope != READ_ONLY) /* the kernel takes more, and rocectl is to ask for no more */
		return -EPERM;
	if (!cmd.in_len || !cmd.out_len || cmd.in_len > LONGEST || cmd.out_len > LONGEST)
		return -EMSGSIZE;
	in = memdup_user(u64_to_user_ptr(cmd.in), cmd.in_len);
	if (IS_ERR(in))
		return PTR_ERR(in);
	out = kzalloc(cmd.out_len, GFP_KERNEL);
	if (fwctl_sleeps)
		msleep_interruptible(fwctl_sleeps);
	err = !out ? -ENOMEM : device_type() == MLX5 ? mlx5_rpc(in, cmd.in_len, out, cmd.out_len) : bnxt_rpc(in, cmd.in_len, out, cmd.out_len);
	if (!err && copy_to_user(u64_to_user_ptr(cmd.out), out, cmd.out_len))
		err = -EFAULT;
	kfree(out);
	kfree(in);
	return err;
}

static long fwctl_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == _IO(TYPE, 0))
		return info((void __user *)arg);
	if (cmd == _IO(TYPE, 1))
		return rpc((void __user *)arg);
	return -ENOTTY;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .unlocked_ioctl = fwctl_ioctl };

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static char *devnode(const struct device *dev, umode_t *mode)
#else
static char *devnode(struct device *dev, umode_t *mode)
#endif
{
	return kasprintf(GFP_KERNEL, "fwctl/%s", dev_name(dev));
}

static struct class fwctl_class = { .name = "fwctl", .devnode = devnode };

void sim_fwctl_remove(void)
{
	if (major <= 0)
		return;
	while (made)
		device_destroy(&fwctl_class, MKDEV(major, --made));
	class_unregister(&fwctl_class);
	unregister_chrdev(major, "fwctl");
	major = 0;
}

int sim_fwctl_init(unsigned int count)
{
	int err;

	if (!*fwctl)
		return 0;
	major = register_chrdev(0, "fwctl", &fops);
	if (major < 0)
		return major;
	err = class_register(&fwctl_class);
	if (err) {
		unregister_chrdev(major, "fwctl");
		major = 0;
		return err;
	}
	while (made < min_t(unsigned int, count, PORTS)) {
		struct device *dev = device_create(&fwctl_class, sim_port_at(made)->parent, MKDEV(major, made), NULL, "fwctl%u", made);

		if (IS_ERR(dev))
			return PTR_ERR(dev);
		made++;
	}
	return 0;
}
