#include <brook/brook.h>
#include <stdio.h>

int main(void)
{
    puts(brook_device_name(brook_current_device()));
    return brook_last_error_code();
}
