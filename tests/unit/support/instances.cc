#define SHARDLINE_DEFINE_INSTANCES
#include "unit/support/instances.h"
