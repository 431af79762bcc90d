! As in occa/c/kernel.h.
module occa_kernel_m
  use occa_types_m

  implicit none

  interface
    logical(kind=C_bool) function occaKernelIsInitialized(kernel) bind(C, name="occaKernelIsInitialized")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(occaJson) function occaKernelGetProperties(kernel) bind(C, name="occaKernelGetProperties")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(occaDevice) function occaKernelGetDevice(kernel) bind(C, name="occaKernelGetDevice")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(C_char_ptr) function occaKernelName(kernel) bind(C, name="occaKernelName")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(C_char_ptr) function occaKernelSourceFilename(kernel) bind(C, name="occaKernelSourceFilename")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(C_char_ptr) function occaKernelBinaryFilename(kernel) bind(C, name="occaKernelBinaryFilename")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function
    ! These two texts are for free() of C.

    type(C_char_ptr) function occaKernelHash(kernel) bind(C, name="occaKernelHash")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(C_char_ptr) function occaKernelFullHash(kernel) bind(C, name="occaKernelFullHash")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    integer(C_int) function occaKernelMaxDims(kernel) bind(C, name="occaKernelMaxDims")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(occaDim) function occaKernelMaxOuterDims(kernel) bind(C, name="occaKernelMaxOuterDims")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    type(occaDim) function occaKernelMaxInnerDims(kernel) bind(C, name="occaKernelMaxInnerDims")
      import
      implicit none
      type(occaKernel), value :: kernel
    end function

    subroutine occaKernelSetRunDims(kernel, outerDims, innerDims) bind(C, name="occaKernelSetRunDims")
      import
      implicit none
      type(occaKernel), value :: kernel
      type(occaDim), value :: outerDims, innerDims
    end subroutine

    subroutine occaKernelPushArg(kernel, arg) bind(C, name="occaKernelPushArg")
      import
      implicit none
      type(occaKernel), value :: kernel
      type(occaType), value :: arg
    end subroutine

    subroutine occaKernelClearArgs(kernel) bind(C, name="occaKernelClearArgs")
      import
      implicit none
      type(occaKernel), value :: kernel
    end subroutine

    subroutine occaKernelRunFromArgs(kernel) bind(C, name="occaKernelRunFromArgs")
      import
      implicit none
      type(occaKernel), value :: kernel
    end subroutine

    subroutine occaKernelRunWithArgs(kernel, argc, args) bind(C, name="occaKernelRunWithArgs")
      import
      implicit none
      type(occaKernel), value :: kernel
      integer(C_int), value :: argc
      type(occaType), dimension(*), intent(in) :: args
    end subroutine
  end interface

contains

  ! With up to 20 arguments.
  subroutine occaKernelRun(kernel, arg01, arg02, arg03, arg04, arg05, arg06, arg07, arg08, arg09, arg10, arg11, &
      arg12, arg13, arg14, arg15, arg16, arg17, arg18, arg19, arg20)
    type(occaKernel), intent(in) :: kernel
    type(occaType), intent(in), optional :: &
        arg01, arg02, arg03, arg04, arg05, arg06, arg07, arg08, arg09, arg10, arg11, arg12, arg13, arg14, arg15, &
        arg16, arg17, arg18, arg19, arg20
    type(occaType) :: args(20)
    integer(C_int) :: n
    n = 0
    call put(arg01)
    call put(arg02)
    call put(arg03)
    call put(arg04)
    call put(arg05)
    call put(arg06)
    call put(arg07)
    call put(arg08)
    call put(arg09)
    call put(arg10)
    call put(arg11)
    call put(arg12)
    call put(arg13)
    call put(arg14)
    call put(arg15)
    call put(arg16)
    call put(arg17)
    call put(arg18)
    call put(arg19)
    call put(arg20)
    call occaKernelRunWithArgs(kernel, n, args)

  contains

    subroutine put(arg)
      type(occaType), intent(in), optional :: arg
      if (.not. present(arg)) return
      n = n + 1
      args(n) = arg
    end subroutine
  end subroutine

  ! The same; argc says how many there are.
  subroutine occaKernelRunN(kernel, argc, arg01, arg02, arg03, arg04, arg05, arg06, arg07, arg08, arg09, arg10, &
      arg11, arg12, arg13, arg14, arg15, arg16, arg17, arg18, arg19, arg20)
    type(occaKernel), intent(in) :: kernel
    integer(C_int), intent(in) :: argc
    type(occaType), intent(in), optional :: &
        arg01, arg02, arg03, arg04, arg05, arg06, arg07, arg08, arg09, arg10, arg11, arg12, arg13, arg14, arg15, &
        arg16, arg17, arg18, arg19, arg20
    if (argc /= count([ &
        present(arg01), present(arg02), present(arg03), present(arg04), present(arg05), present(arg06), &
        present(arg07), present(arg08), present(arg09), present(arg10), present(arg11), present(arg12), &
        present(arg13), present(arg14), present(arg15), present(arg16), present(arg17), present(arg18), &
        present(arg19), present(arg20)])) then
      error stop "occaKernelRunN: there are not as many arguments as the call says"
    end if
    call occaKernelRun(kernel, arg01, arg02, arg03, arg04, arg05, arg06, arg07, arg08, arg09, arg10, arg11, arg12, &
        arg13, arg14, arg15, arg16, arg17, arg18, arg19, arg20)
  end subroutine

end module occa_kernel_m
