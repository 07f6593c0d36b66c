// SPDX-License-Identifier: GPL-2.0
/* The receive buffers as mlx5 en/port_buffer.c of Linux 6.1 and 6.12 keeps them, with cells of 128 bytes and without a shared pool. */
#include "mlx5.h"

enum { CELL = 128, TOTAL_CELLS = 4094, FIRST_CELLS = 2047, LEAST_SPEED = 40000, LEAST_MAX_MTU = 9216, ALL = 0xff };

/* What the firmware makes of it as long as nobody else does. */
enum { SPLIT_LOSSY_CELLS = 157, SPLIT_LOSSLESS_CELLS = 1220 };

static void firmware_layout(struct mlx5 *m, u8 lossless)
{
	int i;

	memset(m->cells, 0, sizeof(m->cells));
	m->cells[0] = lossless ? SPLIT_LOSSY_CELLS : FIRST_CELLS;
	m->cells[1] = lossless ? SPLIT_LOSSLESS_CELLS : 0;
	for (i = 0; i < SIM_TCS; i++)
		m->prio_buffer[i] = lossless >> i & 1;
	m->lossless[0] = false;
	m->lossless[1] = lossless;
}

void mlx5_init_buffers(struct mlx5 *m)
{
	firmware_layout(m, 0);
}

static u32 least_lossless(struct sim_port *p)
{
	u32 speed = max_t(u32, netif_carrier_ok(p->dev) ? SPEED_100000 : 0, LEAST_SPEED);
	struct mlx5 *m = p->own;
	u32 xoff = (301 + 216 * m->cable / 100) * speed / 1000 + 272 * p->dev->mtu / 100;

	return xoff + max_t(u32, p->dev->max_mtu, LEAST_MAX_MTU) + CELL;
}

static int enough(struct sim_port *p, const bool *lossless, const u32 *size)
{
	int i;

	for (i = 0; i < MLX5_BUFFERS; i++) {
		if (lossless[i] && size[i] < least_lossless(p)) {
			netdev_err(p->dev, "buffer_size[%d]=%u is not enough for lossless buffer\n", i, size[i]);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Marks the buffers of lossless priorities; true if that changed any. */
static bool mark(const u8 *prio_buffer, u8 pfc_en, bool *lossless)
{
	bool before[MLX5_BUFFERS];
	int i;

	memcpy(before, lossless, sizeof(before));
	memset(lossless, 0, sizeof(before));
	for (i = 0; i < SIM_TCS; i++)
		if (pfc_en >> i & 1)
			lossless[prio_buffer[i]] = true;
	return memcmp(before, lossless, sizeof(before));
}

static void sizes_of(const struct mlx5 *m, u32 *size)
{
	int i;

	for (i = 0; i < MLX5_BUFFERS; i++)
		size[i] = m->cells[i] * CELL;
}

/* After PFC or the length of the cable changed. */
int mlx5_pfc_changed(struct sim_port *p, bool pfc, bool cable)
{
	struct mlx5 *m = p->own;
	bool lossless[MLX5_BUFFERS];
	u32 size[MLX5_BUFFERS];
	int err = 0;

	if (!m->manual_buffer) {
		if (pfc && p->firmware_buffers)
			firmware_layout(m, p->pfc.pfc_en);
		return 0;
	}
	sizes_of(m, size);
	memcpy(lossless, m->lossless, sizeof(lossless));
	if (cable)
		err = enough(p, lossless, size);
	if (!err && pfc && mark(m->prio_buffer, p->pfc.pfc_en, lossless))
		err = enough(p, lossless, size);
	if (!err)
		memcpy(m->lossless, lossless, sizeof(lossless));
	return err;
}

int mlx5_getbuffer(struct sim_port *p, struct dcbnl_buffer *buffer)
{
	struct mlx5 *m = p->own;

	memcpy(buffer->prio2buffer, m->prio_buffer, sizeof(m->prio_buffer));
	sizes_of(m, buffer->buffer_size);
	buffer->total_size = TOTAL_CELLS * CELL;
	return 0;
}

/* A new mapping is held against the sizes from before it, new sizes against the new mapping. */
int mlx5_setbuffer(struct sim_port *p, struct dcbnl_buffer *buffer)
{
	struct mlx5 *m = p->own;
	u8 pfc_en = p->pause.rx_pause || p->pause.tx_pause ? ALL : p->pfc.pfc_en;
	bool lossless[MLX5_BUFFERS], moved, sized;
	u32 size[MLX5_BUFFERS];
	u64 sum = 0;
	int i, err;

	sizes_of(m, size);
	moved = memcmp(buffer->prio2buffer, m->prio_buffer, sizeof(m->prio_buffer));
	sized = memcmp(buffer->buffer_size, size, sizeof(size));
	if (!moved && !sized)
		return 0;
	m->manual_buffer = true;
	memcpy(lossless, m->lossless, sizeof(lossless));
	if (moved && mark(buffer->prio2buffer, pfc_en, lossless)) {
		err = enough(p, lossless, size);
		if (err)
			return err;
	}
	if (sized) {
		for (i = 0; i < MLX5_BUFFERS; i++) {
			if (lossless[i] && !buffer->buffer_size[i])
				return -EINVAL;
			sum += buffer->buffer_size[i];
		}
		if (sum > TOTAL_CELLS * CELL)
			return -EINVAL;
		err = enough(p, lossless, buffer->buffer_size);
		if (err)
			return err;
	}
	memcpy(m->lossless, lossless, sizeof(lossless));
	memcpy(m->prio_buffer, buffer->prio2buffer, sizeof(m->prio_buffer));
	for (i = 0; i < MLX5_BUFFERS; i++)
		m->cells[i] = buffer->buffer_size[i] / CELL;
	return 0;
}
