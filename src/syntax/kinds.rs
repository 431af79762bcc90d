//! The names of both grammars, each given one meaning.

macro_rules! names {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident = $($name:literal)|+,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(clippy::enum_variant_names, reason = "they are the grammars'")]
        pub enum $enum {
            $($variant,)*
            /// Anything the analysis has no special interest in.
            Other,
        }

        impl $enum {
            pub(super) fn from_name(name: &str) -> Self {
                match name {
                    $($($name)|+ => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

names! {
    /// What a node is.
    Kind {
        Error = "ERROR",
        Missing = "(missing)",
        TranslationUnit = "translation_unit",
        FunctionDefinition = "function_definition",
        Declaration = "declaration",
        FieldDeclaration = "field_declaration",
        BitField = "bitfield_clause",
        FieldDeclarationList = "field_declaration_list",
        TypeDefinition = "type_definition",
        AliasDeclaration = "alias_declaration",
        ConceptDefinition = "concept_definition",
        StructSpecifier = "struct_specifier",
        ClassSpecifier = "class_specifier",
        UnionSpecifier = "union_specifier",
        EnumSpecifier = "enum_specifier",
        TemplateDeclaration = "template_declaration",
        NamespaceDefinition = "namespace_definition",
        NamespaceAlias = "namespace_alias_definition",
        LinkageSpecification = "linkage_specification",
        DeclarationList = "declaration_list",
        UsingDeclaration = "using_declaration",
        LambdaExpression = "lambda_expression",
        LambdaCaptures = "lambda_capture_specifier",

        ParameterList = "parameter_list",
        ParameterDeclaration = "parameter_declaration" | "optional_parameter_declaration",
        FunctionDeclarator = "function_declarator" | "abstract_function_declarator",
        PointerDeclarator = "pointer_declarator" | "abstract_pointer_declarator",
        ReferenceDeclarator = "reference_declarator" | "abstract_reference_declarator",
        ArrayDeclarator = "array_declarator" | "abstract_array_declarator",
        ParenthesizedDeclarator = "parenthesized_declarator" | "abstract_parenthesized_declarator",
        AttributedDeclarator = "attributed_declarator",
        InitDeclarator = "init_declarator",
        InitializerList = "initializer_list",
        InitializerPair = "initializer_pair",

        PrimitiveType = "primitive_type",
        SizedType = "sized_type_specifier",
        TypeIdentifier = "type_identifier",
        TypeDescriptor = "type_descriptor",
        TypeQualifier = "type_qualifier",
        StorageClass = "storage_class_specifier",
        PlaceholderType = "placeholder_type_specifier",
        TemplateType = "template_type",
        TypeParameter = "type_parameter_declaration" | "optional_type_parameter_declaration" | "variadic_type_parameter_declaration",

        CompoundStatement = "compound_statement",
        ExpressionStatement = "expression_statement",
        IfStatement = "if_statement",
        ElseClause = "else_clause",
        ForStatement = "for_statement",
        ForRangeLoop = "for_range_loop",
        WhileStatement = "while_statement",
        DoStatement = "do_statement",
        SwitchStatement = "switch_statement",
        CaseStatement = "case_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        ReturnStatement = "return_statement",
        GotoStatement = "goto_statement",
        LabeledStatement = "labeled_statement",
        AttributedStatement = "attributed_statement",
        ConditionClause = "condition_clause",

        AttributeDeclaration = "attribute_declaration",
        StringLiteral = "string_literal",
        RawStringLiteral = "raw_string_literal",
        ConcatenatedString = "concatenated_string",
        CharLiteral = "char_literal",
        NumberLiteral = "number_literal",
        True = "true",
        False = "false",
        Null = "null",

        Identifier = "identifier",
        FieldIdentifier = "field_identifier",
        QualifiedIdentifier = "qualified_identifier",
        This = "this",
        TemplateFunction = "template_function",
        BinaryExpression = "binary_expression",
        UnaryExpression = "unary_expression",
        PointerExpression = "pointer_expression",
        UpdateExpression = "update_expression",
        AssignmentExpression = "assignment_expression",
        ConditionalExpression = "conditional_expression",
        CallExpression = "call_expression",
        ArgumentList = "argument_list",
        SubscriptExpression = "subscript_expression",
        SubscriptArguments = "subscript_argument_list",
        FieldExpression = "field_expression",
        CastExpression = "cast_expression",
        ParenthesizedExpression = "parenthesized_expression",
        CommaExpression = "comma_expression",
        SizeofExpression = "sizeof_expression",
        CompoundLiteral = "compound_literal_expression",
        NewExpression = "new_expression",
        DeleteExpression = "delete_expression",
        StructuredBinding = "structured_binding_declarator",
        StaticAssert = "static_assert_declaration",
        ThrowStatement = "throw_statement",
        TryStatement = "try_statement",
        Decltype = "decltype",
        UserLiteral = "user_defined_literal",
        OperatorName = "operator_name",
        OperatorCast = "operator_cast",
        InitStatement = "init_statement",
        AlignAs = "alignas_qualifier" | "alignas_specifier",
        VendorAttributes = "attribute_specifier" | "ms_declspec_modifier",
        BaseClause = "base_class_clause",
        AccessSpecifier = "access_specifier",
        Enumerator = "enumerator",
        FriendDeclaration = "friend_declaration",
        DefaultMethod = "default_method_clause" | "delete_method_clause",
    }
}

names! {
    /// What a node is to its parent.
    Field {
        Type = "type",
        Declarator = "declarator",
        Parameters = "parameters",
        Body = "body",
        Initializer = "initializer",
        Condition = "condition",
        Update = "update",
        Left = "left",
        Operator = "operator",
        Right = "right",
        Argument = "argument",
        Arguments = "arguments",
        Function = "function",
        Index = "index" | "indices",
        Size = "size",
        Designator = "designator",
        Value = "value",
        DefaultValue = "default_value",
        Base = "base",
        Name = "name",
        FieldName = "field",
        Consequence = "consequence",
        Alternative = "alternative",
    }
}

/// Whether a node specifies a structure, class or union.
pub fn is_record(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier
    )
}

/// Whether a node is a name that stands alone.
pub fn is_name(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier
    )
}

/// Whether a node declares a name, or stands around one that does.
pub fn is_declarator(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Identifier
            | Kind::FieldIdentifier
            | Kind::TypeIdentifier
            | Kind::PointerDeclarator
            | Kind::ReferenceDeclarator
            | Kind::ArrayDeclarator
            | Kind::FunctionDeclarator
            | Kind::ParenthesizedDeclarator
            | Kind::AttributedDeclarator
    )
}
