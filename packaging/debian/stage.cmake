# Run by CPack between installing the program and packing: puts the rest of the package beside it.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(source ${CPACK_TGKEEP_SOURCE})
set(program ${root}/usr/bin/tgkeep)
set(doc ${root}/usr/share/doc/tgkeep)

function(tgkeep_says variable)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE wrong RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR said STREQUAL "")
    string(JOIN " " words ${ARGN})
    message(FATAL_ERROR "tgkeep ${words} says nothing to pack: ${wrong}")
  endif()
  set(${variable} "${said}" PARENT_SCOPE)
endfunction()

# Replaces what must be there.
function(replace text from to)
  string(FIND "${${text}}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "nothing to replace: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" changed "${${text}}")
  set(${text} "${changed}" PARENT_SCOPE)
endfunction()

function(compressed path)
  execute_process(COMMAND gzip -9nf ${path} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The unit of deploy/, with a user of its own and the token where Debian's files say it is.
file(READ ${source}/deploy/tgkeep.service unit)
string(REGEX REPLACE "^#[^[]*\n\\[Unit\\]" "[Unit]\nDocumentation=man:tgkeep(1)" unit "${unit}")
string(REGEX REPLACE "# Secrets reach it[^\n]*\n([#A-Z][^\n]*\n)+\n" "" unit "${unit}")
replace(unit "/usr/local/bin/tgkeep" "/usr/bin/tgkeep")
replace(unit "; tokens that come as credentials (below) only at a start." ", tokens as well.")
replace(unit "DynamicUser=yes" "User=tgkeep\nGroup=tgkeep")
replace(unit "Environment=TGKEEP_FOLDER=%S/tgkeep\n" "")
replace(unit "StateDirectoryMode=0700\n" "StateDirectoryMode=0700\n# Where it may write backups.\nReadWritePaths=-/var/backups/tgkeep\n")
if(unit MATCHES "LoadCredential|/usr/local")
  message(FATAL_ERROR "deploy/tgkeep.service has changed in a way that stage.cmake does not know")
endif()
file(WRITE ${root}/lib/systemd/system/tgkeep.service "${unit}")

tgkeep_says(config config defaults)
replace(config "folder = \"tgkeep-data\"" "folder = \"/var/lib/tgkeep\"")
set(before "# A file that holds the bot's token and nothing else.\ntoken_file = ")
replace(config "${before}\"\"" "${before}\"/etc/tgkeep/token\"")
file(WRITE ${root}/etc/tgkeep/tgkeep.toml "${config}")

tgkeep_says(manual man)
file(WRITE ${root}/usr/share/man/man1/tgkeep.1 "${manual}")
compressed(${root}/usr/share/man/man1/tgkeep.1)
tgkeep_says(bash completion bash)
file(WRITE ${root}/usr/share/bash-completion/completions/tgkeep "${bash}")
tgkeep_says(zsh completion zsh)
file(WRITE ${root}/usr/share/zsh/vendor-completions/_tgkeep "${zsh}")
tgkeep_says(fish completion fish)
file(WRITE ${root}/usr/share/fish/vendor_completions.d/tgkeep.fish "${fish}")

file(GLOB grafana ${source}/deploy/grafana/*.json)
file(COPY ${grafana} DESTINATION ${root}/usr/share/tgkeep/grafana)
file(COPY ${source}/deploy/prometheus/alerts.yml DESTINATION ${root}/usr/share/tgkeep/prometheus)

file(COPY ${source}/packaging/debian/copyright DESTINATION ${doc})
file(GLOB examples ${source}/deploy/nginx.conf ${source}/deploy/Caddyfile ${source}/deploy/tgkeep.toml)
file(COPY ${examples} DESTINATION ${doc}/examples)
file(GLOB pages ${source}/docs/*.md)
file(COPY ${source}/README.md ${source}/README.zh-CN.md DESTINATION ${doc})
file(COPY ${pages} DESTINATION ${doc}/docs)
file(COPY ${source}/CHANGELOG.md DESTINATION ${doc})
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
compressed(${doc}/changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog.Debian "tgkeep (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium

  * Package of tgkeep ${CPACK_PACKAGE_VERSION}; its changes are in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
compressed(${doc}/changelog.Debian)

file(GLOB_RECURSE plain LIST_DIRECTORIES false ${root}/etc/* ${root}/lib/* ${root}/usr/share/*)
foreach(path ${plain})
  file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
