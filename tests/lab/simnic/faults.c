// SPDX-License-Identifier: GPL-2.0
/*
 * What the tests see and turn, under debugfs in simnic/:
 *
 *   writes   how many writes reached the driver, refused ones included; opens: how many opens and closes by the user
 *   log      one line a write: port, what, result
 *   state    one line a port: trust, number of DSCP entries, and the priority the hardware gives to each code point
 *   reset    any write zeroes the counts and the log
 *   fault    OP fail ERRNO | OP lie | OP hang | probe SYMBOL ERRNO [extack] | probe SYMBOL lie [argN] | clear,
 *            each with count=K for the K-th call only; OP with port=NAME for one port only
 *
 * "hang" keeps the caller, with all locks it has, until "clear" lets it go on as if nothing was.
 * "lie" answers success and does nothing. "probe" makes any kernel function return at once; with "extack" its third argument is one, and
 * gets a message; with argN a lie returns that argument, as a store must.
 */
#include <linux/debugfs.h>
#include <linux/kprobes.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "simnic.h"

enum { LINES = 4096, LINE = 160, PROBES = 16 };

struct fault {
	bool armed, lie, hang;
	int err;
	unsigned int only, seen; /* only: which call, 0 for every one */
	char port[IFNAMSIZ];
};

struct probe {
	struct kprobe kprobe;
	char symbol[64];
	bool used, lie, extack;
	int err;
	unsigned int arg, only;
	atomic_t seen;
};

static const char *const op_names[SIM_OPS] = {
	[SIM_MTU] = "mtu", [SIM_PAUSE] = "pause", [SIM_ETS] = "ets", [SIM_MAXRATE] = "maxrate", [SIM_PFC] = "pfc", [SIM_BUFFER] = "buffer",
	[SIM_TUNABLE] = "tunable", [SIM_APPSET] = "appset", [SIM_APPDEL] = "appdel", [SIM_DCBX] = "dcbx", [SIM_PRIVFLAGS] = "privflags",
	[SIM_RING] = "ring", [SIM_CHANNELS] = "channels", [SIM_FEATURES] = "features", [SIM_LINKMODES] = "linkmodes",
	[SIM_FEC] = "fec", [SIM_COALESCE] = "coalesce", [SIM_APPTRUST] = "apptrust", [SIM_REWRITE] = "rewrite", [SIM_PARAM] = "param", [SIM_RELOAD] = "reload",
	[SIM_VFS] = "vfs", [SIM_VF] = "vf",
	[SIM_OPEN] = "open", [SIM_CLOSE] = "close",
};

static DEFINE_SPINLOCK(lock);
static DECLARE_WAIT_QUEUE_HEAD(let_go);
static u32 clears;
static DEFINE_MUTEX(probe_mutex);
static struct fault faults[SIM_OPS];
static struct probe probes[PROBES];
static u32 writes, opens, line_count;
static char (*lines)[LINE];
static struct dentry *dir;

/* True: do it. False: *result is the answer. */
bool sim_gate(struct net_device *dev, enum sim_op op, int *result)
{
	struct fault *f = &faults[op];
	bool act, hang;
	u32 seen;

	spin_lock(&lock);
	if (op == SIM_OPEN || op == SIM_CLOSE)
		opens++;
	else
		writes++;
	act = f->armed && (!f->port[0] || !strcmp(f->port, dev->name)) && (!f->only || ++f->seen == f->only);
	*result = act && !f->lie ? -f->err : 0;
	hang = act && f->hang;
	seen = clears;
	spin_unlock(&lock);
	if (hang)
		wait_event(let_go, READ_ONCE(clears) != seen);
	return !act || hang;
}

int sim_done(struct net_device *dev, int result, const char *format, ...)
{
	char what[LINE - 32];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	spin_lock(&lock);
	if (lines && line_count < LINES)
		snprintf(lines[line_count++], LINE, "%s %s -> %d", dev->name, what, result);
	spin_unlock(&lock);
	return result;
}

static notrace noinline void just_return(void)
{
	asm volatile("");
}

static int probe_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	struct probe *p = container_of(kprobe, struct probe, kprobe);

	if (p->only && atomic_inc_return(&p->seen) != p->only)
		return 0;
	if (p->extack && regs_get_kernel_argument(regs, 2))
		((struct netlink_ext_ack *)regs_get_kernel_argument(regs, 2))->_msg = "refused by the lab";
	regs_set_return_value(regs, !p->lie ? -p->err : p->arg ? regs_get_kernel_argument(regs, p->arg - 1) : 0);
	instruction_pointer_set(regs, (unsigned long)just_return);
	return 1;
}
NOKPROBE_SYMBOL(probe_hit);

static int add_probe(const char *symbol, bool lie, int err, unsigned int arg, unsigned int only, bool extack)
{
	int i, result;

	for (i = 0; i < PROBES && probes[i].used; i++)
		;
	if (i == PROBES)
		return -ENOSPC;
	memset(&probes[i], 0, sizeof(probes[i]));
	strscpy(probes[i].symbol, symbol, sizeof(probes[i].symbol));
	probes[i].lie = lie;
	probes[i].err = err;
	probes[i].arg = arg;
	probes[i].only = only;
	probes[i].extack = extack;
	probes[i].kprobe.symbol_name = probes[i].symbol;
	probes[i].kprobe.pre_handler = probe_hit;
	result = register_kprobe(&probes[i].kprobe);
	probes[i].used = !result;
	return result;
}

static void clear_all(void)
{
	int i;

	for (i = 0; i < PROBES; i++) {
		if (probes[i].used)
			unregister_kprobe(&probes[i].kprobe);
		probes[i].used = false;
	}
	spin_lock_bh(&lock);
	memset(faults, 0, sizeof(faults));
	WRITE_ONCE(clears, clears + 1);
	spin_unlock_bh(&lock);
	wake_up_all(&let_go);
}

static int command(char *text)
{
	unsigned int only = 0, arg = 0;
	bool lie = false, hang = false, extack = false, have_err = false;
	char *word, *what = strsep(&text, " "), *symbol = NULL;
	struct fault fault = { .armed = true };
	int err = 0, op;

	if (!strcmp(what, "clear")) {
		clear_all();
		return 0;
	}
	if (!strcmp(what, "probe"))
		symbol = strsep(&text, " ");
	while ((word = strsep(&text, " "))) {
		if (!strcmp(word, "lie"))
			lie = true;
		else if (!strcmp(word, "hang"))
			hang = true;
		else if (!strcmp(word, "extack"))
			extack = true;
		else if (!strncmp(word, "port=", 5))
			strscpy(fault.port, word + 5, sizeof(fault.port));
		else if (!strncmp(word, "arg", 3) && !kstrtouint(word + 3, 10, &arg))
			;
		else if (!strncmp(word, "count=", 6) && !kstrtouint(word + 6, 10, &only))
			;
		else if (!kstrtoint(word, 10, &err) && err > 0)
			have_err = true;
		else if (strcmp(word, "fail") && *word)
			return -EINVAL;
	}
	if (lie + hang + have_err != 1 || (hang && symbol))
		return -EINVAL;
	if (symbol)
		return add_probe(symbol, lie, err, arg, only, extack);
	op = match_string(op_names, SIM_OPS, what);
	if (op < 0 || op == SIM_CLOSE)
		return -EINVAL;
	fault.lie = lie;
	fault.hang = hang;
	fault.err = err;
	fault.only = only;
	spin_lock_bh(&lock);
	faults[op] = fault;
	spin_unlock_bh(&lock);
	return 0;
}

static ssize_t fault_write(struct file *file, const char __user *from, size_t count, loff_t *at)
{
	char *text = memdup_user_nul(from, min_t(size_t, count, 256));
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&probe_mutex);
	err = command(strim(text));
	mutex_unlock(&probe_mutex);
	kfree(text);
	return err ?: count;
}

static ssize_t reset_write(struct file *file, const char __user *from, size_t count, loff_t *at)
{
	spin_lock_bh(&lock);
	writes = 0;
	opens = 0;
	line_count = 0;
	spin_unlock_bh(&lock);
	return count;
}

static int log_show(struct seq_file *file, void *unused)
{
	u32 i;

	for (i = 0; i < READ_ONCE(line_count); i++)
		seq_printf(file, "%s\n", lines[i]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(log);

static int state_show(struct seq_file *file, void *unused)
{
	struct sim_port *p;
	unsigned int i;

	for (i = 0; (p = sim_port_at(i)); i++)
		seq_printf(file, "%s trust %s entries %u dscp_prio %*phN%*phN\n", p->dev->name, p->dscp_entries ? "dscp" : "pcp",
			   p->dscp_entries, 32, p->dscp_prio, 32, p->dscp_prio + 32);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

static const struct file_operations fault_fops = { .owner = THIS_MODULE, .open = simple_open, .write = fault_write };
static const struct file_operations reset_fops = { .owner = THIS_MODULE, .open = simple_open, .write = reset_write };

int sim_faults_init(void)
{
	lines = kvcalloc(LINES, LINE, GFP_KERNEL);
	if (!lines)
		return -ENOMEM;
	dir = debugfs_create_dir("simnic", NULL);
	debugfs_create_u32("writes", 0444, dir, &writes);
	debugfs_create_u32("opens", 0444, dir, &opens);
	debugfs_create_file("log", 0444, dir, NULL, &log_fops);
	debugfs_create_file("state", 0444, dir, NULL, &state_fops);
	debugfs_create_file("fault", 0200, dir, NULL, &fault_fops);
	debugfs_create_file("reset", 0200, dir, NULL, &reset_fops);
	return 0;
}

void sim_faults_exit(void)
{
	debugfs_remove_recursive(dir);
	clear_all();
	kvfree(lines);
}
