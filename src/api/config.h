#pragma once

#include "base/padded_text.h"
#include "base/result.h"
#include "operation/operation.h"

namespace shardline {

// Reads and checks the options of connect(); see Runtime::Connect.
Result<OperationContext> ParseConfig(const PaddedText& config);

}  // namespace shardline
