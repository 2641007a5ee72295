// The module that shows a first total: three functions, which WebAssembly exports by themselves.
// embind's JavaScript would take 2 KB.

#include <cstddef>
#include <string>
#include <string_view>

#include "counter/reader.h"

namespace {

std::string& input() {
  static std::string text;
  return text;
}

std::string& output() {
  static std::string text;
  return text;
}

}  // namespace

extern "C" {

// The address of memory for the arguments.
__attribute__((export_name("allocate"))) char* ReaderAllocate(std::size_t size) {
  input().resize(size);
  return input().data();
}

// Returns the size of the answer.
__attribute__((export_name("read"))) std::size_t ReaderRead() {
  output() = shardline::ReadRequest(input());
  return output().size();
}

__attribute__((export_name("answer"))) const char* ReaderAnswer() { return output().data(); }
}
