# The Debian package and the RPM of a release, made by CPack from the folders that .ci/dist lays out. They depend on no other
# package.
set(CPACK_PACKAGE_NAME kubectl-dra)
set(CPACK_PACKAGE_FILE_NAME kubectl-dra)
set(CPACK_PACKAGE_DIRECTORY .)
set(CPACK_PACKAGE_VENDOR kubectl-dra)
set(CPACK_PACKAGE_CONTACT "The authors of kubectl-dra <kubectl-dra@kubectl-dra.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kubectl plugin that explains Dynamic Resource Allocation")
set(CPACK_PACKAGE_DESCRIPTION "Shows the devices, claims and waiting pods of a Kubernetes cluster,\n\
explains why a pod does not get its GPUs or TPUs, and what would make\n\
it fit. It only reads from the cluster.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS kubectl)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_SET_DESTDIR OFF)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_RPM_PACKAGE_GROUP "Applications/System")
set(CPACK_RPM_PACKAGE_URL "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RPM_PACKAGE_SUGGESTS kubectl)
set(CPACK_RPM_PACKAGE_AUTOREQPROV no)
set(CPACK_RPM_COMPRESSION_TYPE xz)
# The folders are those of other packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/man/man7 /usr/share/licenses
    /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/fish /usr/share/fish/vendor_completions.d
    /usr/share/zsh /usr/share/zsh/site-functions)
# Neither the machine nor the time of the build is in the bytes, and the program is as it was linked.
set(CPACK_RPM_SPEC_MORE_DEFINE "
%define _buildhost kubectl-dra.invalid
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _build_id_links none
%define debug_package %{nil}
%define __os_install_post %{nil}
%define _binary_payload w6.xzdio")
