// The runtime modules' bindings: a handful of coarse calls on numbers, and no logic.
// SHARDLINE_TABLES says which module it is: one of those in api/tables.h.
//
// WebAssembly exports the calls by themselves, and runtime.mjs is all the JavaScript they need:
// embind would take 2 KB more (brotli). The module for debuggers is linked with embind all the
// same, whose runtime prints assertions.
//
// Bytes enter as HEAPU8.set(bytes, allocate(size)) and leave as a slice of HEAPU8: for 2 KB that is
// thirty times as fast as an embind std::string. Every call that takes (address, size) takes the
// memory over.

#ifdef SHARDLINE_EMBIND
#include <emscripten/bind.h>
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "api/runtime.h"
#include "api/tables.h"

namespace {

using shardline::Instant;
using shardline::PaddedText;
using shardline::Runtime;

Runtime& runtime() {
  static Runtime instance(shardline::SHARDLINE_TABLES);
  return instance;
}

int ToAddress(const char* bytes) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(bytes));
}

PaddedText Adopt(int address, int size) {
  return PaddedText::Adopt(reinterpret_cast<char*>(static_cast<std::intptr_t>(address)),
                           static_cast<std::size_t>(size));
}

Instant At(double millis) {
  return Instant(shardline::Duration(static_cast<shardline::Duration::rep>(millis * 1000)));
}

}  // namespace

#ifdef SHARDLINE_EMBIND
#define SHARDLINE_EXPORT(name)
#else
#define SHARDLINE_EXPORT(name) __attribute__((export_name(name)))
#endif

extern "C" {

// The address of memory for `size` bytes, or 0 if no memory is left.
SHARDLINE_EXPORT("allocate")
int Allocate(int size) { return ToAddress(PaddedText::Allocate(static_cast<std::size_t>(size))); }

SHARDLINE_EXPORT("connect")
int Connect(int address, int size) { return runtime().Connect(Adopt(address, size)); }
SHARDLINE_EXPORT("disconnect")
void Disconnect(int connection) { runtime().Disconnect(connection); }
SHARDLINE_EXPORT("start")
int Start(int connection, int address, int size) {
  return runtime().Start(connection, Adopt(address, size));
}
SHARDLINE_EXPORT("respond")
void Respond(int operation, int request, int status, int address, int size, double now,
             double retry_after_ms, int is_signed_in) {
  const auto retry_after = static_cast<shardline::Duration::rep>(retry_after_ms * 1000);
  runtime().Respond(
      operation, static_cast<shardline::RequestId>(request),
      {status, Adopt(address, size), shardline::Duration(retry_after), is_signed_in != 0}, At(now));
}
SHARDLINE_EXPORT("failRequest")
void FailRequest(int operation, int request, double now) {
  runtime().FailRequest(operation, static_cast<shardline::RequestId>(request), At(now));
}
SHARDLINE_EXPORT("cancel")
void Cancel(int operation) { runtime().Cancel(operation); }
SHARDLINE_EXPORT("poll")
int Poll(int operation, double now) { return runtime().Poll(operation, At(now)) ? 1 : 0; }
SHARDLINE_EXPORT("frameAddress")
int FrameAddress() { return ToAddress(runtime().frame().data()); }
SHARDLINE_EXPORT("frameSize")
int FrameSize() { return static_cast<int>(runtime().frame().size()); }
SHARDLINE_EXPORT("headerSize")
int HeaderSize() { return static_cast<int>(runtime().header_size()); }

}  // extern "C"

#ifdef SHARDLINE_EMBIND
EMSCRIPTEN_BINDINGS(runtime) {
  emscripten::function("allocate", &Allocate);
  emscripten::function("connect", &Connect);
  emscripten::function("disconnect", &Disconnect);
  emscripten::function("start", &Start);
  emscripten::function("respond", &Respond);
  emscripten::function("failRequest", &FailRequest);
  emscripten::function("cancel", &Cancel);
  emscripten::function("poll", &Poll);
  emscripten::function("frameAddress", &FrameAddress);
  emscripten::function("frameSize", &FrameSize);
  emscripten::function("headerSize", &HeaderSize);
}
#endif
