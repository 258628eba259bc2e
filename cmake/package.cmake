# The Debian package of a release, made by CPack from the folder that .ci/dist lays out. It depends on no other package.
set(CPACK_GENERATOR DEB)
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
