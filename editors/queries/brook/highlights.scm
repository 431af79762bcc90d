; inherits: c
;
; Brook+ on the trees of tree-sitter-c, which takes the first word of `kernel void f(…)` for a type, and the brackets of
; streams for comparisons. What this finds: the words of Brook+ where they are taken for types or end up in an ERROR, vector
; types, functions, Attribute[GroupSize(…)], and the brackets of `float a<>`.
; What it does not: brackets of `float s<10, 20>` as such (they stay operators where C reads a comparison), and structure: folds, indentation and
; text objects around kernels and streams are wrong. Names are compared, so a type of your own called `out` looks like the
; word. The language server's semantic tokens have none of these gaps.

((type_identifier) @keyword.modifier
  (#any-of? @keyword.modifier "kernel" "reduce" "out" "iter" "vout" "shared"))
(ERROR (identifier) @keyword.modifier
  (#any-of? @keyword.modifier "kernel" "reduce" "out" "iter" "vout" "shared"))

((type_identifier) @type.builtin
  (#match? @type.builtin "^(float|double|u?int|u?char|u?short|u?long)[234]$"))
; words of C that became names, since a word of Brook+ stood before them
((identifier) @type.builtin
  (#match? @type.builtin "^(void|float|double|int|char|short|long|(float|double|u?int|u?char|u?short|u?long)[234])$"))

((identifier) @attribute
  (#any-of? @attribute "Attribute" "GroupSize"))

(ERROR "<" @punctuation.bracket)
(ERROR ">" @punctuation.bracket)

; grammar/functions.toml
(call_expression
  function: (identifier) @function.builtin
  (#any-of? @function.builtin
    "abs" "acos" "all" "any" "asin" "atan" "atan2" "ceil" "clamp" "cos" "cross" "dot" "exp" "floor" "fmod" "frac"
    "isfinite" "isinf" "isnan" "lerp" "log" "max" "min" "normalize" "pow" "round" "rsqrt" "sign" "sin" "sqrt" "tan"))
(call_expression
  function: (identifier) @function.builtin
  (#any-of? @function.builtin
    "indexof" "instance" "instanceInGroup" "syncGroup" "streamRead" "streamWrite"))
