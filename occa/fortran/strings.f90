! Texts of C and of Fortran.
module fc_string_m
  use, intrinsic :: iso_c_binding, only: C_ptr, C_char, C_size_t, C_NULL_char, C_associated, C_F_pointer

  implicit none

  private
  public :: C_F_str, F_C_str

  interface
    integer(C_size_t) function length_of(text) bind(C, name="strlen")
      import
      type(C_ptr), value :: text
    end function
  end interface

contains

  ! A text of C's, up to its end; empty for a null pointer.
  function C_F_str(C_string) result(F_string)
    type(C_ptr), intent(in) :: C_string
    character(len=:), allocatable :: F_string
    character(len=1,kind=C_char), dimension(:), pointer :: letters
    integer :: i, length
    length = 0
    if (C_associated(C_string)) length = int(length_of(C_string))
    allocate(character(len=length) :: F_string)
    if (length == 0) return
    call C_F_pointer(C_string, letters, [length])
    do i = 1, length
      F_string(i:i) = letters(i)
    end do
  end function

  ! A text for C, without the blanks at its end.
  pure function F_C_str(F_string) result(C_string)
    character(len=*,kind=C_char), intent(in) :: F_string
    character(len=:,kind=C_char), allocatable :: C_string
    C_string = trim(F_string)//C_NULL_char
  end function

end module fc_string_m
