#pragma once

#include <string>
#include <string_view>

// Transcript() of json_walk.h by the scanner that looks at one byte at a time.
std::string ScalarTranscript(std::string_view text);
