# SPDX-License-Identifier: GPL-2.0-or-later
# embed_files(TARGET NAME FILE...): compile the files' bytes into TARGET, as
#
#   const struct embed NAME[]    (core/embed.h), in the order given, ended by
#                                an entry without a name
#
# The C file is made in the build tree when a FILE is newer. Run as a script
# (cmake -P), this file is what makes it.
function(embed_files target name)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.c")
  set(inputs)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file)
    list(APPEND inputs "${file}")
  endforeach()
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DNAME=${name}"
      "-DINPUTS=${inputs}" -P "${PROJECT_SOURCE_DIR}/cmake/Embed.cmake"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/Embed.cmake"
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# base64(VARIABLE HEX): the bytes that HEX spells out, in base64.
function(base64 variable hex)
  set(alphabet
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text)
  string(LENGTH "${hex}" length)
  set(at 0)
  while(at LESS length)
    # Three bytes are four digits; where bytes lack, so do digits.
    string(SUBSTRING "${hex}0000" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${digit} 1 digit)
      string(APPEND text "${digit}")
    endforeach()
    math(EXPR at "${at} + 6")
  endwhile()
  math(EXPR lacking "(${at} - ${length}) / 2")
  string(LENGTH "${text}" length)
  math(EXPR length "${length} - ${lacking}")
  string(SUBSTRING "${text}" 0 ${length} text)
  string(SUBSTRING "==" 0 ${lacking} padding)
  set(${variable} "${text}${padding}" PARENT_SCOPE)
endfunction()

set(arrays)
set(entries)
set(index 0)
foreach(input IN LISTS INPUTS)
  cmake_path(GET input FILENAME filename)
  file(READ "${input}" bytes HEX)
  string(LENGTH "${bytes}" size)
  math(EXPR size "${size} / 2")
  file(SHA256 "${input}" hash)
  base64(hash "${hash}")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes
    "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # The NUL behind them makes text a string.
  string(APPEND arrays
    "static const unsigned char bytes_${index}[] = {\n${bytes}0x00\n};\n\n")
  string(APPEND entries
    "\t{ \"${filename}\", bytes_${index}, ${size}, \"${hash}\" },\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}"
  "#include \"core/embed.h\"\n\nextern const struct embed ${NAME}[];\n\n"
  "${arrays}const struct embed ${NAME}[] = {\n${entries}\t{ 0 },\n};\n")
