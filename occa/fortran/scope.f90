! As in occa/c/scope.h.
module occa_scope_m
  use occa_types_m

  implicit none

  interface
    type(occaScope) function occaCreateScope(props) bind(C, name="occaCreateScope")
      import
      implicit none
      type(occaJson), value :: props
    end function

    subroutine occaScopeAdd(scope, name, value) bind(C, name="occaScopeAdd")
      import
      implicit none
      type(occaScope), value :: scope
      character(len=1,kind=C_char), dimension(*), intent(in) :: name
      type(occaType), value :: value
    end subroutine

    subroutine occaScopeAddConst(scope, name, value) bind(C, name="occaScopeAddConst")
      import
      implicit none
      type(occaScope), value :: scope
      character(len=1,kind=C_char), dimension(*), intent(in) :: name
      type(occaType), value :: value
    end subroutine
  end interface

end module occa_scope_m

! As in occa/c/experimental/kernelBuilder.h.
module occa_kernelBuilder_m
  use occa_types_m

  implicit none

  interface
    type(occaKernelBuilder) function occaCreateKernelBuilder(kernelSource, &
        kernelName) bind(C, name="occaCreateKernelBuilder")
      import
      implicit none
      character(len=1,kind=C_char), dimension(*), intent(in) :: kernelSource, kernelName
    end function

    subroutine occaKernelBuilderRun(kernelBuilder, scope) bind(C, name="occaKernelBuilderRun")
      import
      implicit none
      type(occaKernelBuilder), value :: kernelBuilder
      type(occaScope), value :: scope
    end subroutine
  end interface

contains

  ! The types of the parameters are those of the scope that it is run with, and not of this one.
  type(occaKernelBuilder) function occaKernelBuilderFromInlinedOkl(scope, kernelSource, kernelName)
    type(occaScope), intent(in) :: scope
    character(len=1,kind=C_char), dimension(*), intent(in) :: kernelSource, kernelName
    if (occaIsUndefined(scope)) continue
    occaKernelBuilderFromInlinedOkl = occaCreateKernelBuilder(kernelSource, kernelName)
  end function

end module occa_kernelBuilder_m
