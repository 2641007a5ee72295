// The types that bindings may use, in place of the forty that emcc's own
// bind.cpp registers: strings in four encodings, typed arrays, JavaScript values.
// Each costs every visitor its converter in the glue; std::string alone is
// 650 bytes brotli.
//
// A binding with a type that is not registered here throws UnboundTypeError when
// it is called.

#include <emscripten.h>
#include <emscripten/bind.h>

#include <cstdlib>
#include <limits>

// embind.js calls these two by name.
extern "C" {

// Names a type in embind's own error messages. The caller frees it.
EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const std::type_info* /*type*/) {
  return static_cast<char*>(std::calloc(1, 1));
}

// A constructor: runs before any EMSCRIPTEN_BINDINGS is looked up.
EMSCRIPTEN_KEEPALIVE __attribute__((constructor)) void
__embind_register_native_and_builtin_types() {
  using namespace emscripten::internal;  // NOLINT(google-build-using-namespace)
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_integer(TypeID<int>::get(), "int", sizeof(int), std::numeric_limits<int>::min(),
                           std::numeric_limits<int>::max());
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
}

}  // extern "C"
