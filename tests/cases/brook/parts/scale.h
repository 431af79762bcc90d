#ifndef SCALE_H
#define SCALE_H

#define SCALE 10.0f

kernel float scaled(float x, float by)
{
    return x * by;
}

#endif
