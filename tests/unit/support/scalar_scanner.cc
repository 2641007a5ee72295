#include "unit/support/scalar_scanner.h"

#include "unit/support/json_walk.h"

// `shardline` is a macro here: see tests/CMakeLists.txt.
std::string ScalarTranscript(std::string_view text) { return shardline::Transcript(text); }
