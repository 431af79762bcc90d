! As in occa/c/base.h.
module occa_base_m
  use occa_types_m

  implicit none

  interface
    type(occaJson) function occaSettings() bind(C, name="occaSettings")
      import
    end function

    subroutine occaPrintModeInfo() bind(C, name="occaPrintModeInfo")
    end subroutine

    type(occaDevice) function occaHost() bind(C, name="occaHost")
      import
    end function

    type(occaDevice) function occaGetDevice() bind(C, name="occaGetDevice")
      import
    end function

    subroutine occaSetDevice(device) bind(C, name="occaSetDevice")
      import
      implicit none
      type(occaDevice), value :: device
    end subroutine

    subroutine occaSetDeviceFromString(info) bind(C, name="occaSetDeviceFromString")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: info
    end subroutine

    type(occaJson) function occaDeviceProperties() bind(C, name="occaDeviceProperties")
      import
    end function

    subroutine occaFinish() bind(C, name="occaFinish")
    end subroutine

    type(occaStream) function occaCreateStream(props) bind(C, name="occaCreateStream")
      import
      implicit none
      type(occaJson), value :: props
    end function

    type(occaStream) function occaGetStream() bind(C, name="occaGetStream")
      import
    end function

    subroutine occaSetStream(stream) bind(C, name="occaSetStream")
      import
      implicit none
      type(occaStream), value :: stream
    end subroutine

    type(occaStreamTag) function occaTagStream() bind(C, name="occaTagStream")
      import
    end function

    subroutine occaWaitForTag(tag) bind(C, name="occaWaitForTag")
      import
      implicit none
      type(occaStreamTag), value :: tag
    end subroutine

    real(C_double) function occaTimeBetweenTags(startTag, endTag) bind(C, name="occaTimeBetweenTags")
      import
      implicit none
      type(occaStreamTag), value :: startTag, endTag
    end function

    type(C_void_ptr) function occaStreamUnwrap(stream) bind(C, name="occaStreamUnwrap")
      import
      implicit none
      type(occaStream), value :: stream
    end function

    type(occaKernel) function occaBuildKernel(filename, kernelName, props) bind(C, name="occaBuildKernel")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename, kernelName
      type(occaJson), value :: props
    end function

    type(occaKernel) function occaBuildKernelFromString(str, kernelName, &
        props) bind(C, name="occaBuildKernelFromString")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: str, kernelName
      type(occaJson), value :: props
    end function

    type(occaKernel) function occaBuildKernelFromBinary(filename, &
        kernelName, props) bind(C, name="occaBuildKernelFromBinary")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename, kernelName
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaMalloc(bytes, src, props) bind(C, name="occaMalloc")
      import
      implicit none
      integer(occaUDim_t), value :: bytes
      type(C_void_ptr), value :: src
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaTypedMalloc(entries, type, src, props) bind(C, name="occaTypedMalloc")
      import
      implicit none
      integer(occaUDim_t), value :: entries
      type(occaDtype), value :: type
      type(C_void_ptr), value :: src
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaWrapMemory(ptr, bytes, props) bind(C, name="occaWrapMemory")
      import
      implicit none
      type(C_void_ptr), value :: ptr
      integer(occaUDim_t), value :: bytes
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaTypedWrapMemory(ptr, entries, dtype, props) bind(C, name="occaTypedWrapMemory")
      import
      implicit none
      type(C_void_ptr), value :: ptr
      integer(occaUDim_t), value :: entries
      type(occaDtype), value :: dtype
      type(occaJson), value :: props
    end function

    type(occaMemoryPool) function occaCreateMemoryPool(props) bind(C, name="occaCreateMemoryPool")
      import
      implicit none
      type(occaJson), value :: props
    end function
  end interface

end module occa_base_m

! As in occa/c/device.h.
module occa_device_m
  use occa_types_m

  implicit none

  interface
    type(occaDevice) function occaCreateDevice(info) bind(C, name="occaCreateDevice")
      import
      implicit none
      type(occaType), value :: info
    end function

    type(occaDevice) function occaCreateDeviceFromString(info) bind(C, name="occaCreateDeviceFromString")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: info
    end function

    logical(kind=C_bool) function occaDeviceIsInitialized(device) bind(C, name="occaDeviceIsInitialized")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(C_char_ptr) function occaDeviceMode(device) bind(C, name="occaDeviceMode")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(occaJson) function occaDeviceGetProperties(device) bind(C, name="occaDeviceGetProperties")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(C_char_ptr) function occaDeviceArch(device) bind(C, name="occaDeviceArch")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(occaJson) function occaDeviceGetKernelProperties(device) bind(C, name="occaDeviceGetKernelProperties")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(occaJson) function occaDeviceGetMemoryProperties(device) bind(C, name="occaDeviceGetMemoryProperties")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(occaJson) function occaDeviceGetStreamProperties(device) bind(C, name="occaDeviceGetStreamProperties")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    integer(occaUDim_t) function occaDeviceMemorySize(device) bind(C, name="occaDeviceMemorySize")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    integer(occaUDim_t) function occaDeviceMemoryAllocated(device) bind(C, name="occaDeviceMemoryAllocated")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    subroutine occaDeviceFinish(device) bind(C, name="occaDeviceFinish")
      import
      implicit none
      type(occaDevice), value :: device
    end subroutine

    subroutine occaDeviceFinishAll(device) bind(C, name="occaDeviceFinishAll")
      import
      implicit none
      type(occaDevice), value :: device
    end subroutine

    logical(kind=C_bool) function occaDeviceHasSeparateMemorySpace( &
        device) bind(C, name="occaDeviceHasSeparateMemorySpace")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    type(occaStream) function occaDeviceCreateStream(device, props) bind(C, name="occaDeviceCreateStream")
      import
      implicit none
      type(occaDevice), value :: device
      type(occaJson), value :: props
    end function

    type(occaStream) function occaDeviceGetStream(device) bind(C, name="occaDeviceGetStream")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    subroutine occaDeviceSetStream(device, stream) bind(C, name="occaDeviceSetStream")
      import
      implicit none
      type(occaDevice), value :: device
      type(occaStream), value :: stream
    end subroutine

    type(occaStreamTag) function occaDeviceTagStream(device) bind(C, name="occaDeviceTagStream")
      import
      implicit none
      type(occaDevice), value :: device
    end function

    subroutine occaDeviceWaitForTag(device, tag) bind(C, name="occaDeviceWaitForTag")
      import
      implicit none
      type(occaDevice), value :: device
      type(occaStreamTag), value :: tag
    end subroutine

    real(C_double) function occaDeviceTimeBetweenTags(device, startTag, &
        endTag) bind(C, name="occaDeviceTimeBetweenTags")
      import
      implicit none
      type(occaDevice), value :: device
      type(occaStreamTag), value :: startTag, endTag
    end function

    type(occaKernel) function occaDeviceBuildKernel(device, filename, &
        kernelName, props) bind(C, name="occaDeviceBuildKernel")
      import
      implicit none
      type(occaDevice), value :: device
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename, kernelName
      type(occaJson), value :: props
    end function

    type(occaKernel) function occaDeviceBuildKernelFromString( &
        device, str, kernelName, props) bind(C, name="occaDeviceBuildKernelFromString")
      import
      implicit none
      type(occaDevice), value :: device
      character(len=1,kind=C_char), dimension(*), intent(in) :: str, kernelName
      type(occaJson), value :: props
    end function

    type(occaKernel) function occaDeviceBuildKernelFromBinary( &
        device, filename, kernelName, props) bind(C, name="occaDeviceBuildKernelFromBinary")
      import
      implicit none
      type(occaDevice), value :: device
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename, kernelName
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaDeviceMalloc(device, bytes, src, props) bind(C, name="occaDeviceMalloc")
      import
      implicit none
      type(occaDevice), value :: device
      integer(occaUDim_t), value :: bytes
      type(C_void_ptr), value :: src
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaDeviceTypedMalloc(device, entries, dtype, &
        src, props) bind(C, name="occaDeviceTypedMalloc")
      import
      implicit none
      type(occaDevice), value :: device
      integer(occaUDim_t), value :: entries
      type(occaDtype), value :: dtype
      type(C_void_ptr), value :: src
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaDeviceWrapMemory(device, ptr, bytes, props) bind(C, name="occaDeviceWrapMemory")
      import
      implicit none
      type(occaDevice), value :: device
      type(C_void_ptr), value :: ptr
      integer(occaUDim_t), value :: bytes
      type(occaJson), value :: props
    end function

    type(occaMemory) function occaDeviceTypedWrapMemory(device, ptr, &
        entries, dtype, props) bind(C, name="occaDeviceTypedWrapMemory")
      import
      implicit none
      type(occaDevice), value :: device
      type(C_void_ptr), value :: ptr
      integer(occaUDim_t), value :: entries
      type(occaDtype), value :: dtype
      type(occaJson), value :: props
    end function

    type(occaMemoryPool) function occaDeviceCreateMemoryPool(device, &
        props) bind(C, name="occaDeviceCreateMemoryPool")
      import
      implicit none
      type(occaDevice), value :: device
      type(occaJson), value :: props
    end function
  end interface

end module occa_device_m

! As in occa/c/stream.h.
module occa_stream_m
  use occa_types_m

  implicit none

  interface
    subroutine occaStreamFinish(stream) bind(C, name="occaStreamFinish")
      import
      implicit none
      type(occaStream), value :: stream
    end subroutine
  end interface

end module occa_stream_m
