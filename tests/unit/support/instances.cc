#define SHARDLINE_DEFINE_JSON_INSTANCES
#include "unit/support/json_instances.h"
