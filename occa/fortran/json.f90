! As in occa/c/json.h.
module occa_json_m
  use occa_types_m

  implicit none

  interface
    type(occaJson) function occaCreateJson() bind(C, name="occaCreateJson")
      import
    end function

    type(occaJson) function occaJsonParse(c) bind(C, name="occaJsonParse")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: c
    end function

    type(occaJson) function occaJsonRead(filename) bind(C, name="occaJsonRead")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename
    end function

    subroutine occaJsonWrite(j, filename) bind(C, name="occaJsonWrite")
      import
      implicit none
      type(occaJson), value :: j
      character(len=1,kind=C_char), dimension(*), intent(in) :: filename
    end subroutine
    ! The text is for free() of C.

    type(C_char_ptr) function occaJsonDump(j, indent) bind(C, name="occaJsonDump")
      import
      implicit none
      type(occaJson), value :: j
      integer(C_int), value :: indent
    end function

    logical(kind=C_bool) function occaJsonIsBoolean(j) bind(C, name="occaJsonIsBoolean")
      import
      implicit none
      type(occaJson), value :: j
    end function

    logical(kind=C_bool) function occaJsonIsNumber(j) bind(C, name="occaJsonIsNumber")
      import
      implicit none
      type(occaJson), value :: j
    end function

    logical(kind=C_bool) function occaJsonIsString(j) bind(C, name="occaJsonIsString")
      import
      implicit none
      type(occaJson), value :: j
    end function

    logical(kind=C_bool) function occaJsonIsArray(j) bind(C, name="occaJsonIsArray")
      import
      implicit none
      type(occaJson), value :: j
    end function

    logical(kind=C_bool) function occaJsonIsObject(j) bind(C, name="occaJsonIsObject")
      import
      implicit none
      type(occaJson), value :: j
    end function

    subroutine occaJsonCastToBoolean(j) bind(C, name="occaJsonCastToBoolean")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    subroutine occaJsonCastToNumber(j) bind(C, name="occaJsonCastToNumber")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    subroutine occaJsonCastToString(j) bind(C, name="occaJsonCastToString")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    subroutine occaJsonCastToArray(j) bind(C, name="occaJsonCastToArray")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    subroutine occaJsonCastToObject(j) bind(C, name="occaJsonCastToObject")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    logical(kind=C_bool) function occaJsonGetBoolean(j) bind(C, name="occaJsonGetBoolean")
      import
      implicit none
      type(occaJson), value :: j
    end function

    type(occaType) function occaJsonGetNumber(j, type) bind(C, name="occaJsonGetNumber")
      import
      implicit none
      type(occaJson), value :: j
      integer(C_int), value :: type
    end function

    type(C_char_ptr) function occaJsonGetString(j) bind(C, name="occaJsonGetString")
      import
      implicit none
      type(occaJson), value :: j
    end function

    type(occaType) function occaJsonObjectGet(j, key, defaultValue) bind(C, name="occaJsonObjectGet")
      import
      implicit none
      type(occaJson), value :: j
      character(len=1,kind=C_char), dimension(*), intent(in) :: key
      type(occaType), value :: defaultValue
    end function

    subroutine occaJsonObjectSet(j, key, value) bind(C, name="occaJsonObjectSet")
      import
      implicit none
      type(occaJson), value :: j
      character(len=1,kind=C_char), dimension(*), intent(in) :: key
      type(occaType), value :: value
    end subroutine

    logical(kind=C_bool) function occaJsonObjectHas(j, key) bind(C, name="occaJsonObjectHas")
      import
      implicit none
      type(occaJson), value :: j
      character(len=1,kind=C_char), dimension(*), intent(in) :: key
    end function

    integer(C_int) function occaJsonArraySize(j) bind(C, name="occaJsonArraySize")
      import
      implicit none
      type(occaJson), value :: j
    end function

    type(occaType) function occaJsonArrayGet(j, index) bind(C, name="occaJsonArrayGet")
      import
      implicit none
      type(occaJson), value :: j
      integer(C_int), value :: index
    end function

    subroutine occaJsonArrayPush(j, value) bind(C, name="occaJsonArrayPush")
      import
      implicit none
      type(occaJson), value :: j
      type(occaType), value :: value
    end subroutine

    subroutine occaJsonArrayPop(j) bind(C, name="occaJsonArrayPop")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine

    subroutine occaJsonArrayInsert(j, index, value) bind(C, name="occaJsonArrayInsert")
      import
      implicit none
      type(occaJson), value :: j
      integer(C_int), value :: index
      type(occaType), value :: value
    end subroutine

    subroutine occaJsonArrayClear(j) bind(C, name="occaJsonArrayClear")
      import
      implicit none
      type(occaJson), value :: j
    end subroutine
  end interface

end module occa_json_m
