# SPDX-License-Identifier: GPL-2.0-or-later
# Run by CPack on what it is about to pack. As Debian wants it, manual pages
# and the changelog are compressed, in the same bytes each time, and the
# licence, which every Debian system has, is named but not repeated. Whatever
# the umask, folders can be entered.
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
# Debian's zsh looks for packages' completion in a folder of its own.
file(GLOB folders "${root}/*/usr/share/zsh" "${root}/usr/share/zsh")
foreach(folder IN LISTS folders)
  file(RENAME "${folder}/site-functions" "${folder}/vendor-completions")
endforeach()
file(GLOB_RECURSE pages "${root}/*/share/man/*.[1-8]")
file(GLOB_RECURSE changelogs "${root}/*/share/doc/*/CHANGELOG.md")
foreach(changelog IN LISTS changelogs)
  cmake_path(GET changelog PARENT_PATH folder)
  file(RENAME "${changelog}" "${folder}/changelog")
  list(APPEND pages "${folder}/changelog")
endforeach()
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9n "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE licences "${root}/*/share/doc/*/LICENSE")
foreach(licence IN LISTS licences)
  file(REMOVE "${licence}")
endforeach()
# The README leads to them by the names that they have here.
file(GLOB_RECURSE readmes "${root}/*/share/doc/*/README.md")
foreach(readme IN LISTS readmes)
  execute_process(COMMAND sed -i -e "s/](CHANGELOG.md)/](changelog.gz)/"
    -e "s/](LICENSE)/](copyright)/" "${readme}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND find "${root}" -type d -exec chmod 755 {} +
  COMMAND_ERROR_IS_FATAL ANY)
