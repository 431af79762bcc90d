! As in occa/c/dtype.h.
module occa_dtype_m
  use occa_types_m

  implicit none

  ! Builtins are numbers in the list of src/c/builtins.cpp.
  integer(C_int), parameter, private :: magic = int(z'3030CE64', C_int)
  type(occaDtype), parameter :: occaDtypeNone = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(1))
  type(occaDtype), parameter :: occaDtypeVoid = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(2))
  type(occaDtype), parameter :: occaDtypeByte = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(3))
  type(occaDtype), parameter :: occaDtypeBool = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(4))
  type(occaDtype), parameter :: occaDtypeChar = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(5))
  type(occaDtype), parameter :: occaDtypeShort = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(6))
  type(occaDtype), parameter :: occaDtypeInt = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(7))
  type(occaDtype), parameter :: occaDtypeLong = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(8))
  type(occaDtype), parameter :: occaDtypeFloat = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(9))
  type(occaDtype), parameter :: occaDtypeDouble = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(10))
  type(occaDtype), parameter :: occaDtypeInt8 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(11))
  type(occaDtype), parameter :: occaDtypeUint8 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(12))
  type(occaDtype), parameter :: occaDtypeInt16 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(13))
  type(occaDtype), parameter :: occaDtypeUint16 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(14))
  type(occaDtype), parameter :: occaDtypeInt32 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(15))
  type(occaDtype), parameter :: occaDtypeUint32 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(16))
  type(occaDtype), parameter :: occaDtypeInt64 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(17))
  type(occaDtype), parameter :: occaDtypeUint64 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(18))
  type(occaDtype), parameter :: occaDtypeUchar2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(19))
  type(occaDtype), parameter :: occaDtypeUchar3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(20))
  type(occaDtype), parameter :: occaDtypeUchar4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(21))
  type(occaDtype), parameter :: occaDtypeChar2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(22))
  type(occaDtype), parameter :: occaDtypeChar3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(23))
  type(occaDtype), parameter :: occaDtypeChar4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(24))
  type(occaDtype), parameter :: occaDtypeUshort2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(25))
  type(occaDtype), parameter :: occaDtypeUshort3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(26))
  type(occaDtype), parameter :: occaDtypeUshort4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(27))
  type(occaDtype), parameter :: occaDtypeShort2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(28))
  type(occaDtype), parameter :: occaDtypeShort3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(29))
  type(occaDtype), parameter :: occaDtypeShort4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(30))
  type(occaDtype), parameter :: occaDtypeUint2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(31))
  type(occaDtype), parameter :: occaDtypeUint3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(32))
  type(occaDtype), parameter :: occaDtypeUint4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(33))
  type(occaDtype), parameter :: occaDtypeInt2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(34))
  type(occaDtype), parameter :: occaDtypeInt3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(35))
  type(occaDtype), parameter :: occaDtypeInt4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(36))
  type(occaDtype), parameter :: occaDtypeUlong2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(37))
  type(occaDtype), parameter :: occaDtypeUlong3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(38))
  type(occaDtype), parameter :: occaDtypeUlong4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(39))
  type(occaDtype), parameter :: occaDtypeLong2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(40))
  type(occaDtype), parameter :: occaDtypeLong3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(41))
  type(occaDtype), parameter :: occaDtypeLong4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(42))
  type(occaDtype), parameter :: occaDtypeFloat2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(43))
  type(occaDtype), parameter :: occaDtypeFloat3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(44))
  type(occaDtype), parameter :: occaDtypeFloat4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(45))
  type(occaDtype), parameter :: occaDtypeDouble2 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(46))
  type(occaDtype), parameter :: occaDtypeDouble3 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(47))
  type(occaDtype), parameter :: occaDtypeDouble4 = occaType(magic, OCCA_C_DTYPE, 8, .false._C_bool, occaUnion(48))

  interface
    type(occaDtype) function occaCreateDtype(name, bytes) bind(C, name="occaCreateDtype")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: name
      integer(C_int), value :: bytes
    end function

    type(occaDtype) function occaCreateDtypeTuple(dtype, size) bind(C, name="occaCreateDtypeTuple")
      import
      implicit none
      type(occaDtype), value :: dtype
      integer(C_int), value :: size
    end function

    type(C_char_ptr) function occaDtypeName(dtype) bind(C, name="occaDtypeName")
      import
      implicit none
      type(occaDtype), value :: dtype
    end function

    integer(C_int) function occaDtypeBytes(dtype) bind(C, name="occaDtypeBytes")
      import
      implicit none
      type(occaDtype), value :: dtype
    end function

    subroutine occaDtypeRegisterType(dtype) bind(C, name="occaDtypeRegisterType")
      import
      implicit none
      type(occaDtype), value :: dtype
    end subroutine

    logical(kind=C_bool) function occaDtypeIsRegistered(dtype) bind(C, name="occaDtypeIsRegistered")
      import
      implicit none
      type(occaDtype), value :: dtype
    end function

    subroutine occaDtypeAddField(dtype, field, fieldType) bind(C, name="occaDtypeAddField")
      import
      implicit none
      type(occaDtype), value :: dtype
      character(len=1,kind=C_char), dimension(*), intent(in) :: field
      type(occaDtype), value :: fieldType
    end subroutine

    logical(kind=C_bool) function occaDtypesAreEqual(a, b) bind(C, name="occaDtypesAreEqual")
      import
      implicit none
      type(occaDtype), value :: a, b
    end function

    logical(kind=C_bool) function occaDtypesMatch(a, b) bind(C, name="occaDtypesMatch")
      import
      implicit none
      type(occaDtype), value :: a, b
    end function

    type(occaDtype) function occaDtypeFromJson(json) bind(C, name="occaDtypeFromJson")
      import
      implicit none
      type(occaJson), value :: json
    end function

    type(occaDtype) function occaDtypeFromJsonString(str) bind(C, name="occaDtypeFromJsonString")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: str
    end function

    type(occaJson) function occaDtypeToJson(dtype) bind(C, name="occaDtypeToJson")
      import
      implicit none
      type(occaDtype), value :: dtype
    end function
  end interface

end module occa_dtype_m
