! The interface for Fortran.
module occa
  use fc_string_m
  use occa_types_m
  use occa_base_m
  use occa_dtype_m
  use occa_device_m
  use occa_memory_m
  use occa_memoryPool_m
  use occa_kernel_m
  use occa_kernelBuilder_m
  use occa_stream_m
  use occa_scope_m
  use occa_json_m

  implicit none

end module occa
