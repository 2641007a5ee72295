# Finds the Emscripten that is in PATH, wherever it is installed, and hands over to its own toolchain file.
find_program(EM_CONFIG em-config REQUIRED NO_CMAKE_FIND_ROOT_PATH)
execute_process(
  COMMAND ${EM_CONFIG} EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE SHARDLINE_EMSCRIPTEN_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${SHARDLINE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
