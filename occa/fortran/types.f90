! As in occa/c/types.h; all handles are values of one type.
module occa_typedefs_m
  use, intrinsic :: iso_c_binding, &
      C_ptr => C_ptr, &
      C_char_ptr => C_ptr, &
      C_void_ptr => C_ptr, &
      C_int64_t => C_int64_t, &
      occaDim_t => C_int64_t, &
      occaUDim_t => C_int64_t

  implicit none

  type, bind(C) :: occaDim
    integer(occaUDim_t) :: x, y, z
  end type occaDim

  ! C's union; its largest members have 8 bytes.
  type, bind(C) :: occaUnion
    integer(C_int64_t) :: data
  end type occaUnion

  type, bind(C) :: occaType
    integer(C_int) :: magicHeader
    integer(C_int) :: type
    integer(C_int64_t) :: bytes
    logical(kind=C_bool) :: needsFree
    type(occaUnion) :: value
  end type occaType

end module occa_typedefs_m

! As in occa/c/types.h. Constants are those of the library: whatever order it is linked in.
module occa_types_m
  use occa_typedefs_m, &
      occaType => occaType, &
      occaDevice => occaType, &
      occaKernel => occaType, &
      occaKernelBuilder => occaType, &
      occaMemory => occaType, &
      occaMemoryPool => occaType, &
      occaStream => occaType, &
      occaStreamTag => occaType, &
      occaDtype => occaType, &
      occaScope => occaType, &
      occaJson => occaType

  implicit none

  ! What occaType%type is.
  integer(C_int), parameter :: OCCA_C_UNDEFINED = 0, OCCA_C_DEFAULT = 1, OCCA_C_NULL = 2, OCCA_C_PTR = 3
  integer(C_int), parameter :: OCCA_C_BOOL = 4, OCCA_C_INT8 = 5, OCCA_C_UINT8 = 6, OCCA_C_INT16 = 7
  integer(C_int), parameter :: OCCA_C_UINT16 = 8, OCCA_C_INT32 = 9, OCCA_C_UINT32 = 10, OCCA_C_INT64 = 11
  integer(C_int), parameter :: OCCA_C_UINT64 = 12, OCCA_C_FLOAT = 13, OCCA_C_DOUBLE = 14, OCCA_C_STRUCT = 15
  integer(C_int), parameter :: OCCA_C_STRING = 16, OCCA_C_DEVICE = 17, OCCA_C_KERNEL = 18, OCCA_C_KERNELBUILDER = 19
  integer(C_int), parameter :: OCCA_C_MEMORY = 20, OCCA_C_MEMORYPOOL = 21, OCCA_C_STREAM = 22, OCCA_C_STREAMTAG = 23
  integer(C_int), parameter :: OCCA_C_DTYPE = 24, OCCA_C_SCOPE = 25, OCCA_C_JSON = 26

  ! What occaType%magicHeader is, of all values and of none.
  integer(C_int), parameter :: occa_magic = int(z'3030CE64', C_int), occa_no_magic = int(z'770C2D18', C_int)

  type(occaType), parameter :: occaNull = &
      occaType(occa_magic, OCCA_C_NULL, 8_C_int64_t, .false._C_bool, occaUnion(0_C_int64_t))
  type(occaType), parameter :: occaDefault = &
      occaType(occa_magic, OCCA_C_DEFAULT, 0_C_int64_t, .false._C_bool, occaUnion(0_C_int64_t))
  type(occaType), parameter :: occaUndefined = &
      occaType(occa_no_magic, OCCA_C_UNDEFINED, 0_C_int64_t, .false._C_bool, occaUnion(0_C_int64_t))
  type(occaType), parameter :: occaTrue = &
      occaType(occa_magic, OCCA_C_BOOL, 1_C_int64_t, .false._C_bool, occaUnion(1_C_int64_t))
  type(occaType), parameter :: occaFalse = &
      occaType(occa_magic, OCCA_C_BOOL, 1_C_int64_t, .false._C_bool, occaUnion(0_C_int64_t))
  integer(occaUDim_t), parameter :: occaAllBytes = -1

  private :: occa_magic, occa_no_magic, occaBool1, occaBool4, occaBool8

  interface
    logical(kind=C_bool) function occaIsUndefined(value) bind(C, name="occaIsUndefined")
      import
      implicit none
      type(occaType), value :: value
    end function

    logical(kind=C_bool) function occaIsNull(value) bind(C, name="occaIsNull")
      import
      implicit none
      type(occaType), value :: value
    end function

    logical(kind=C_bool) function occaIsDefault(value) bind(C, name="occaIsDefault")
      import
      implicit none
      type(occaType), value :: value
    end function

    type(occaType) function occaPtr(value) bind(C, name="occaPtr")
      import
      implicit none
      type(C_void_ptr), value :: value
    end function
    ! occaBool takes every kind of logical.

    type(occaType) function occaBool_C(value) bind(C, name="occaBool")
      import
      implicit none
      logical(kind=C_bool), value :: value
    end function

    type(occaType) function occaStruct(value, bytes) bind(C, name="occaStruct")
      import
      implicit none
      type(C_void_ptr), value :: value
      integer(occaUDim_t), value :: bytes
    end function

    subroutine occaFree(value) bind(C, name="occaFree")
      import
      implicit none
      type(occaType) :: value
    end subroutine

    subroutine occaPrintTypeInfo(value) bind(C, name="occaPrintTypeInfo")
      import
      implicit none
      type(occaType), value :: value
    end subroutine
  end interface

  interface occaBool
    module procedure occaBool1, occaBool4, occaBool8
  end interface

  ! Every kind of integer and real.
  interface occaInt
    type(occaType) function occaInt8(value) bind(C, name="occaInt8")
      import
      implicit none
      integer(C_int8_t), value :: value
    end function

    type(occaType) function occaInt16(value) bind(C, name="occaInt16")
      import
      implicit none
      integer(C_int16_t), value :: value
    end function

    type(occaType) function occaInt32(value) bind(C, name="occaInt32")
      import
      implicit none
      integer(C_int32_t), value :: value
    end function

    type(occaType) function occaInt64(value) bind(C, name="occaInt64")
      import
      implicit none
      integer(C_int64_t), value :: value
    end function
  end interface

  interface occaReal
    type(occaType) function occaFloat(value) bind(C, name="occaFloat")
      import
      implicit none
      real(C_float), value :: value
    end function

    type(occaType) function occaDouble(value) bind(C, name="occaDouble")
      import
      implicit none
      real(C_double), value :: value
    end function
  end interface

contains

  type(occaType) function occaBool1(val) result(res)
    logical(kind=1), intent(in) :: val
    res = occaBool_C(logical(val, kind=C_bool))
  end function

  type(occaType) function occaBool4(val) result(res)
    logical(kind=4), intent(in) :: val
    res = occaBool_C(logical(val, kind=C_bool))
  end function

  type(occaType) function occaBool8(val) result(res)
    logical(kind=8), intent(in) :: val
    res = occaBool_C(logical(val, kind=C_bool))
  end function

  ! The text is not copied. It ends at its end, or where C's would.
  type(occaType) function occaString(str) result(res)
    character(len=*,kind=C_char), intent(in), target :: str
    integer :: length
    length = index(str, C_NULL_char) - 1
    if (length < 0) length = len(str)
    res = occaType(occa_magic, OCCA_C_STRING, int(length, C_int64_t), .false._C_bool, &
        occaUnion(transfer(C_loc(str), 0_C_int64_t)))
  end function

end module occa_types_m
