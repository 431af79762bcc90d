#include <brook/brook.h>
#include <cstring>

int main()
{
    const char *source = "reduce void sum(float a<>, reduce float r<>) { r += a; }";
    brook_module *module = brook_module_create("sum.br", source, std::strlen(source), nullptr);
    unsigned extent = 4;
    brook_stream *stream = brook_stream_create("float", 1, &extent);
    float values[4] = {1, 2, 3, 4}, total = 0;
    brook_stream_read(stream, values, nullptr);
    brook_argument arguments[2] = {};
    arguments[0].kind = BROOK_STREAM;
    arguments[0].data = stream;
    arguments[1].kind = BROOK_VARIABLE;
    arguments[1].type = BROOK_FLOAT;
    arguments[1].width = 1;
    arguments[1].bytes = sizeof total;
    arguments[1].data = &total;
    int status = brook_call(module, "sum", nullptr, arguments, 2);
    std::printf("%g %d\n", total, status);
    brook_stream_release(stream);
    brook_module_release(module);
    return status;
}
