# SPDX-License-Identifier: MIT
# Writes OUTPUT, a header with the commit of FOLDER, if it changed: cmake -DFOLDER= -DOUTPUT= -DCOMMIT= -P
cmake_minimum_required(VERSION 3.25)
if(NOT COMMIT)
  execute_process(COMMAND git -C ${FOLDER} describe --always --dirty --exclude=*
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define WEIR_CLI_COMMIT \"@COMMIT@\"\n" @ONLY)
