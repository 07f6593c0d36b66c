#include <linux/module.h>
MODULE_LICENSE("GPL");
