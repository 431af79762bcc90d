! As in occa/c/memory.h.
module occa_memory_m
  use occa_types_m

  implicit none

  interface
    logical(kind=C_bool) function occaMemoryIsInitialized(memory) bind(C, name="occaMemoryIsInitialized")
      import
      implicit none
      type(occaMemory), value :: memory
    end function

    type(occaDevice) function occaMemoryGetDevice(memory) bind(C, name="occaMemoryGetDevice")
      import
      implicit none
      type(occaMemory), value :: memory
    end function

    type(occaJson) function occaMemoryGetProperties(memory) bind(C, name="occaMemoryGetProperties")
      import
      implicit none
      type(occaMemory), value :: memory
    end function

    integer(occaUDim_t) function occaMemorySize(memory) bind(C, name="occaMemorySize")
      import
      implicit none
      type(occaMemory), value :: memory
    end function

    type(occaMemory) function occaMemorySlice(memory, offset, bytes) bind(C, name="occaMemorySlice")
      import
      implicit none
      type(occaMemory), value :: memory
      integer(occaDim_t), value :: offset, bytes
    end function

    subroutine occaCopyMemToMem(dest, src, bytes, destOffset, srcOffset, props) bind(C, name="occaCopyMemToMem")
      import
      implicit none
      type(occaMemory), value :: dest, src
      integer(occaUDim_t), value :: bytes, destOffset, srcOffset
      type(occaJson), value :: props
    end subroutine

    subroutine occaCopyPtrToMem(dest, src, bytes, offset, props) bind(C, name="occaCopyPtrToMem")
      import
      implicit none
      type(occaMemory), value :: dest
      type(C_void_ptr), value :: src
      integer(occaUDim_t), value :: bytes, offset
      type(occaJson), value :: props
    end subroutine

    subroutine occaCopyMemToPtr(dest, src, bytes, offset, props) bind(C, name="occaCopyMemToPtr")
      import
      implicit none
      type(C_void_ptr), value :: dest
      type(occaMemory), value :: src
      integer(occaUDim_t), value :: bytes, offset
      type(occaJson), value :: props
    end subroutine

    type(occaMemory) function occaMemoryClone(memory) bind(C, name="occaMemoryClone")
      import
      implicit none
      type(occaMemory), value :: memory
    end function

    subroutine occaMemoryDetach(memory) bind(C, name="occaMemoryDetach")
      import
      implicit none
      type(occaMemory), value :: memory
    end subroutine

    type(occaMemory) function occaWrapCpuMemory(device, ptr, bytes, props) bind(C, name="occaWrapCpuMemory")
      import
      implicit none
      type(occaDevice), value :: device
      type(C_void_ptr), value :: ptr
      integer(occaUDim_t), value :: bytes
      type(occaJson), value :: props
    end function

    type(C_void_ptr) function occaMemoryPtr_C(memory) bind(C, name="occaMemoryPtr")
      import
      implicit none
      type(occaMemory), value :: memory
    end function
  end interface

contains

  ! Properties mean nothing; programs for OCCA pass some.
  type(C_void_ptr) function occaMemoryPtr(memory, props)
    type(occaMemory), intent(in) :: memory
    type(occaJson), intent(in), optional :: props
    if (present(props)) continue
    occaMemoryPtr = occaMemoryPtr_C(memory)
  end function

  ! From the host, to the beginning of the memory.
  subroutine occaMemcpy(dest, src, bytes, props)
    type(occaMemory), intent(in) :: dest
    type(C_void_ptr), intent(in) :: src
    integer(occaUDim_t), intent(in) :: bytes
    type(occaJson), intent(in) :: props
    call occaCopyPtrToMem(dest, src, bytes, 0_occaUDim_t, props)
  end subroutine

end module occa_memory_m

! As in occa/c/memoryPool.h.
module occa_memoryPool_m
  use occa_types_m

  implicit none

  interface
    logical(kind=C_bool) function occaMemoryPoolIsInitialized( &
        memoryPool) bind(C, name="occaMemoryPoolIsInitialized")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    type(occaDevice) function occaMemoryPoolGetDevice(memoryPool) bind(C, name="occaMemoryPoolGetDevice")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    type(C_char_ptr) function occaMemoryPoolMode(memoryPool) bind(C, name="occaMemoryPoolMode")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    type(occaJson) function occaMemoryPoolGetProperties(memoryPool) bind(C, name="occaMemoryPoolGetProperties")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    integer(occaUDim_t) function occaMemoryPoolSize(memoryPool) bind(C, name="occaMemoryPoolSize")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    integer(occaUDim_t) function occaMemoryPoolReserved(memoryPool) bind(C, name="occaMemoryPoolReserved")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    integer(occaUDim_t) function occaMemoryPoolNumReservations( &
        memoryPool) bind(C, name="occaMemoryPoolNumReservations")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    integer(occaUDim_t) function occaMemoryPoolAlignment(memoryPool) bind(C, name="occaMemoryPoolAlignment")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end function

    subroutine occaMemoryPoolSetAlignment(memoryPool, alignment) bind(C, name="occaMemoryPoolSetAlignment")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
      integer(occaUDim_t), value :: alignment
    end subroutine

    subroutine occaMemoryPoolResize(memoryPool, bytes) bind(C, name="occaMemoryPoolResize")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
      integer(occaUDim_t), value :: bytes
    end subroutine

    subroutine occaMemoryPoolShrinkToFit(memoryPool) bind(C, name="occaMemoryPoolShrinkToFit")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
    end subroutine

    type(occaMemory) function occaMemoryPoolReserve(memoryPool, bytes) bind(C, name="occaMemoryPoolReserve")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
      integer(occaUDim_t), value :: bytes
    end function

    type(occaMemory) function occaMemoryPoolTypedReserve(memoryPool, &
        entries, dtype) bind(C, name="occaMemoryPoolTypedReserve")
      import
      implicit none
      type(occaMemoryPool), value :: memoryPool
      integer(occaUDim_t), value :: entries
      type(occaDtype), value :: dtype
    end function
  end interface

end module occa_memoryPool_m
