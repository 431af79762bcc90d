; inherits: cpp
;
; OKL on the trees of tree-sitter-cpp, which knows no '@': it makes an ERROR of it, and takes the name after it for
; whatever may stand there. What this finds, as long as the parser mends the text around it:
;   @kernel before a function, @shared and other names before a declaration, @restrict and @dim(n) of a parameter,
;   @tile(…), @outer and the like in the head of a loop, with those among their arguments, and @barrier;
; What it does not: @outer before `for`, where the whole loop is misread (its words are coloured by the last rules),
; attributes in bodies of macros, which tree-sitter-cpp leaves as text, and structure: folds, indentation and text
; objects around attributes are wrong. The language server's semantic tokens ('decorator') have none of these gaps.

((ERROR) @punctuation.special
  (#eq? @punctuation.special "@"))

; among the arguments of an attribute, or in the head of a loop
((ERROR) @_at . (identifier) @attribute
  (#match? @_at "@$"))
((ERROR) @_at . (call_expression function: (identifier) @attribute)
  (#match? @_at "@$"))

; before a function, a declaration, a statement
((ERROR) @_at . (function_definition type: (type_identifier) @attribute)
  (#match? @_at "@$"))
((ERROR) @_at . (declaration type: (type_identifier) @attribute)
  (#match? @_at "@$"))
((ERROR) @_at . (expression_statement (identifier) @attribute)
  (#match? @_at "@$"))
((ERROR) @_at . (expression_statement (call_expression function: (identifier) @attribute))
  (#match? @_at "@$"))

; parameters: restrict is a word of C, too
((ERROR) @_at . (parameter_declaration . (type_qualifier) @attribute)
  (#match? @_at "@$"))
((ERROR) @_at . (parameter_declaration type: (type_identifier) @attribute)
  (#match? @_at "@$"))
((ERROR) @_at . (function_declarator declarator: (identifier) @attribute)
  (#match? @_at "@$"))

; grammar/intrinsics.toml
(call_expression
  function: (identifier) @function.builtin
  (#any-of? @function.builtin
    "okl_exp10f" "okl_memcpy_async" "okl_pipeline_commit" "okl_pipeline_wait_prior" "okl_shfl_sync" "okl_shfl_up_sync"
    "okl_shfl_down_sync" "okl_shfl_xor_sync" "okl_fragment_fill" "okl_fragment_load" "okl_fragment_load_transposed"
    "okl_fragment_multiply_add" "okl_fragment_store" "okl_fragment_store_transposed"))

; words of C++ that became names, since an attribute stood before them
((identifier) @type.builtin
  (#any-of? @type.builtin "void" "bool" "char" "short" "int" "long" "float" "double"))
((identifier) @keyword
  (#any-of? @keyword "for" "if" "while" "const" "struct" "typedef" "static"))
