# FORGE_MLIR_ARCHIVES: what of MLIR and LLVM is linked from their static archives, into the Python extension and, for wheels
# (FORGE_MLIR_BUNDLE), into each tool; they need glibc and libstdc++ alone then. Included where MLIR has been found.

# Debian's MLIR archives name LLVM's shared library, and its LLVMSupport what compression and a solver of it link. Of LLVM
# we take this much; nothing in it refers to those. If something did, the link would fail.
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "rt;dl;m;LLVMDemangle")
get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(target ${targets})
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  if(target MATCHES "^MLIR." AND libraries)
    list(TRANSFORM libraries REPLACE "^LLVM$" "LLVMSupportLSP;LLVMRemarks;LLVMSupport")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endforeach()
set(FORGE_MLIR_ARCHIVES MLIROptLib MLIRLspServerLib MLIRFuncDialect MLIRTransforms MLIRBytecodeReader MLIRBytecodeWriter)

# What is unused goes; nothing of MLIR is seen from outside, where another MLIR may live in the same process.
set(FORGE_MLIR_ARCHIVE_OPTIONS -Wl,--gc-sections -Wl,--exclude-libs,ALL)
