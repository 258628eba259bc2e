# What `make install` puts where; DESTDIR is a directory of the build.
set(root ${BUILD}/install-test)
file(REMOVE_RECURSE ${root})
set(ENV{DESTDIR} ${root})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix /usr/local OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/kubectl-dra bin/kubectl_complete-dra share/man/man1/kubectl-dra.1 share/man/man1/kubectl-dra-explain.1
             share/man/man7/kubectl-dra-semantics.7 share/bash-completion/completions/kubectl-dra
             share/zsh/site-functions/_kubectl-dra share/fish/vendor_completions.d/kubectl-dra.fish
             share/kubectl-dra/k9s.yaml)
  if(NOT EXISTS ${root}/usr/local/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
execute_process(COMMAND ${root}/usr/local/bin/kubectl-dra version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "^kubectl-dra v")
  message(FATAL_ERROR "the installed program says: ${version}")
endif()
