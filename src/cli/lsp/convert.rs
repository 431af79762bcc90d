//! Answers in the protocol's types.

use super::super::positions::Lines;
use brook::ide::{self, CompletionKind, NameKind, TokenClass};
use brook::source::Span;
use lsp_types::{
    CompletionItem, CompletionItemKind, DocumentSymbol, FoldingRange, FoldingRangeKind,
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend, SymbolKind,
};

/// The types of tokens, by their numbers.
const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::STRUCT,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::MACRO,
    SemanticTokenType::KEYWORD,
];
const DECLARATION: u32 = 1;
const READONLY: u32 = 2;

/// What the numbers in answers mean.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::READONLY,
        ],
    }
}

/// Tokens, each relative to the one before.
pub(super) fn tokens(classes: &[(Span, TokenClass)], lines: &Lines<'_>) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let mut tokens = Vec::with_capacity(classes.len());
    for (span, class) in classes {
        let at = lines.position(span.start);
        let (token_type, token_modifiers_bitset) = token(*class);
        tokens.push(SemanticToken {
            delta_line: at.line - line,
            delta_start: match at.line == line {
                true => at.character - column,
                false => at.character,
            },
            length: lines.units(*span),
            token_type,
            token_modifiers_bitset,
        });
        (line, column) = (at.line, at.character);
    }
    tokens
}

fn token(class: TokenClass) -> (u32, u32) {
    match class {
        TokenClass::Name {
            kind,
            constant,
            declares,
        } => {
            let number = match kind {
                NameKind::Kernel | NameKind::Function => 0,
                NameKind::Parameter => 1,
                NameKind::Variable => 2,
                NameKind::Field => 3,
                NameKind::Record => 4,
                NameKind::Type => 5,
                NameKind::Enumeration => 6,
                NameKind::Enumerator => 7,
                // No name is of that class for an editor: none is asked for.
                NameKind::Namespace | NameKind::Label => 8,
            };
            let declares = if declares { DECLARATION } else { 0 };
            let constant = if constant { READONLY } else { 0 };
            (number, declares | constant)
        }
        TokenClass::Attribute => (9, 0),
        TokenClass::Macro => (10, 0),
        TokenClass::Keyword => (11, 0),
    }
}

pub(super) fn completion(found: ide::Completion) -> CompletionItem {
    let kind = match found.kind {
        CompletionKind::Attribute | CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Macro => CompletionItemKind::CONSTANT,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Name(kind) => match kind {
            NameKind::Kernel | NameKind::Function => CompletionItemKind::FUNCTION,
            NameKind::Parameter | NameKind::Variable => CompletionItemKind::VARIABLE,
            NameKind::Field => CompletionItemKind::FIELD,
            NameKind::Record => CompletionItemKind::STRUCT,
            NameKind::Type => CompletionItemKind::CLASS,
            NameKind::Enumeration => CompletionItemKind::ENUM,
            NameKind::Enumerator => CompletionItemKind::ENUM_MEMBER,
            NameKind::Namespace => CompletionItemKind::MODULE,
            NameKind::Label => CompletionItemKind::REFERENCE,
        },
    };
    // What is declared here comes before what is known everywhere.
    let rank = match found.kind {
        CompletionKind::Attribute | CompletionKind::Name(_) => 0,
        CompletionKind::Macro => 1,
        CompletionKind::Function => 2,
        CompletionKind::Keyword => 3,
    };
    CompletionItem {
        sort_text: Some(format!("{rank}{}", found.label)),
        label: found.label,
        kind: Some(kind),
        detail: Some(found.detail).filter(|d| !d.is_empty()),
        ..CompletionItem::default()
    }
}

#[allow(
    deprecated,
    reason = "the type has a field that is, and no other way to be made"
)]
pub(super) fn symbol(found: ide::Symbol, lines: &Lines<'_>) -> DocumentSymbol {
    let inside: Vec<DocumentSymbol> = { found.inside.into_iter() }
        .map(|s| symbol(s, lines))
        .collect();
    DocumentSymbol {
        name: found.name,
        detail: Some(found.detail),
        kind: match found.kind {
            NameKind::Kernel | NameKind::Function => SymbolKind::FUNCTION,
            NameKind::Parameter | NameKind::Variable => SymbolKind::VARIABLE,
            NameKind::Field => SymbolKind::FIELD,
            NameKind::Record => SymbolKind::STRUCT,
            NameKind::Type => SymbolKind::CLASS,
            NameKind::Enumeration => SymbolKind::ENUM,
            NameKind::Enumerator => SymbolKind::ENUM_MEMBER,
            NameKind::Namespace => SymbolKind::NAMESPACE,
            NameKind::Label => SymbolKind::KEY,
        },
        range: lines.range(found.whole.span),
        selection_range: lines.range(found.at.span),
        children: (!inside.is_empty()).then_some(inside),
        tags: None,
        deprecated: None,
    }
}

#[allow(
    deprecated,
    reason = "the type has a field that is, and no other way to be made"
)]
pub(super) fn macro_symbol(name: &str, at: Span, lines: &Lines<'_>) -> DocumentSymbol {
    DocumentSymbol {
        name: name.to_string(),
        detail: Some("macro".to_string()),
        kind: SymbolKind::CONSTANT,
        range: lines.range(at),
        selection_range: lines.range(at),
        children: None,
        tags: None,
        deprecated: None,
    }
}

pub(super) fn fold(span: Span, comment: bool, lines: &Lines<'_>) -> FoldingRange {
    let range = lines.range(span);
    FoldingRange {
        start_line: range.start.line,
        start_character: Some(range.start.character),
        end_line: range.end.line,
        end_character: Some(range.end.character),
        kind: comment.then_some(FoldingRangeKind::Comment),
        collapsed_text: None,
    }
}
