/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SIMNIC_MLX5_H
#define SIMNIC_MLX5_H

#include "simnic.h"

enum { MLX5_BUFFERS = DCBX_MAX_BUFFERS };

/* The registers QTCT, QETC, PPTB and PBMC, and what the driver remembers. */
struct mlx5 {
	u8 prio_tc[SIM_TCS], group[SIM_TCS], bw[SIM_TCS], tsa[SIM_TCS];
	u8 rate[SIM_TCS], rate_unit[SIM_TCS];
	u16 cable, stall;
	u8 prio_buffer[SIM_TCS];
	u32 cells[MLX5_BUFFERS];
	bool lossless[MLX5_BUFFERS];
	bool manual_buffer; /* the host has sized them */
};

/* mlx5_buffer.c */
void mlx5_init_buffers(struct mlx5 *m);
int mlx5_pfc_changed(struct sim_port *p, bool pfc, bool cable);
int mlx5_getbuffer(struct sim_port *p, struct dcbnl_buffer *buffer);
int mlx5_setbuffer(struct sim_port *p, struct dcbnl_buffer *buffer);

#endif
