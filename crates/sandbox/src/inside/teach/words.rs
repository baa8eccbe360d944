//! CPython's words for what the parser cannot read; the parser has words of its own.

use rustpython_vm::compiler::ast::token::TokenKind;
use rustpython_vm::compiler::parser::{InterpolatedStringErrorType, LexicalErrorType, ParseErrorType};

/// Returns the words of CPython 3.13 for a mistake. `text`: the text it is about; `line`: the line it is on; `within`: whether
/// it is inside of brackets.
pub(super) fn words(error: &ParseErrorType, text: &str, line: u32, within: bool) -> String {
    use ParseErrorType as E;
    let syntax = |words: &str| format!("SyntaxError: {words}");
    match error {
        E::ExpectedToken { expected: TokenKind::Colon, .. } => syntax("expected ':'"),
        E::ExpectedToken {
            expected: TokenKind::Comma | TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace,
            found:
                TokenKind::Name
                | TokenKind::Int
                | TokenKind::Float
                | TokenKind::String
                | TokenKind::Lpar
                | TokenKind::Lsqb,
        } if within => syntax("invalid syntax. Perhaps you forgot a comma?"),
        E::ExpectedToken { expected: TokenKind::Lpar, .. } => syntax("expected '('"),
        E::UnexpectedIndentation => "IndentationError: unexpected indent".to_owned(),
        E::OtherError(own) => other(own),
        E::Lexical(error) => lexical(error, line),
        E::FStringError(error) | E::TStringError(error) => syntax(&format!("f-string: {}", field(error))),
        E::InvalidAssignmentTarget
        | E::InvalidAnnotatedAssignmentTarget
        | E::InvalidNamedAssignmentTarget => {
            syntax(&format!("cannot assign to {} here. Maybe you meant '==' instead of '='?", sort(text)))
        }
        E::InvalidAugmentedAssignmentTarget => {
            syntax(&format!("'{}' is an illegal expression for augmented assignment", sort(text)))
        }
        E::InvalidDeleteTarget => syntax(&format!("cannot delete {}", sort(text))),
        E::PositionalAfterKeywordArgument => syntax("positional argument follows keyword argument"),
        E::PositionalAfterKeywordUnpacking => {
            syntax("positional argument follows keyword argument unpacking")
        }
        E::NonDefaultParamAfterDefaultParam => {
            syntax("parameter without a default follows parameter with a default")
        }
        E::DuplicateKeywordArgumentError(name) => syntax(&format!("keyword argument repeated: {name}")),
        E::UnparenthesizedGeneratorExpression => syntax("Generator expression must be parenthesized"),
        E::ParamAfterVarKeywordParam => syntax("arguments cannot follow var-keyword argument"),
        E::ExpectedKeywordParam => syntax("named arguments must follow bare *"),
        E::InvalidStarredExpressionUsage => syntax("can't use starred expression here"),
        E::IterableUnpackingInComprehension => syntax("iterable unpacking cannot be used in comprehension"),
        E::InvalidArgumentUnpackingOrder => {
            syntax("iterable argument unpacking follows keyword argument unpacking")
        }
        _ => syntax("invalid syntax"),
    }
}

/// The sort of an expression, as Python names what cannot be assigned to.
fn sort(text: &str) -> &'static str {
    let text = text.trim();
    match text {
        "True" => return "True",
        "False" => return "False",
        "None" => return "None",
        _ => {}
    }
    match (text.chars().next(), text.chars().last()) {
        (_, Some(')')) if !text.starts_with('(') => "function call",
        (Some('0'..='9' | '"' | '\''), _) => "literal",
        (Some('{'), _) => "dict literal",
        _ if text.contains(['<', '>']) || text.contains("==") => "comparison",
        _ => "expression",
    }
}

fn other(own: &str) -> String {
    if let Some(rest) = own.strip_prefix("Expected an indented block after ") {
        return format!("IndentationError: expected an indented block after {}", rest.replace('`', "'"));
    }
    let words = match own {
        "Expected `except` or `finally` after `try` block" => "expected 'except' or 'finally' block",
        "Multiple exception types must be parenthesized when using `as`" => {
            "multiple exception types must be parenthesized"
        }
        "Only one '*' parameter allowed" => "* argument may appear only once",
        "Expected symbol after `as`" | "Expected name after `as`" => "invalid syntax",
        "Expected class, function definition or async function definition after decorator" => {
            "invalid syntax"
        }
        // The interpreter's own finding, in Python's words.
        own if own.ends_with("was never closed") => own,
        _ => "invalid syntax",
    };
    format!("SyntaxError: {words}")
}

fn lexical(error: &LexicalErrorType, line: u32) -> String {
    use LexicalErrorType as E;
    let words = match error {
        E::IndentationError => {
            return "IndentationError: unindent does not match any outer indentation level".to_owned();
        }
        E::UnclosedStringError | E::StringError => {
            format!("unterminated string literal (detected at line {line})")
        }
        E::UnicodeError | E::MissingUnicodeLbrace | E::MissingUnicodeRbrace => {
            "(unicode error) 'unicodeescape' codec can't decode bytes".to_owned()
        }
        E::InvalidByteLiteral => "bytes can only contain ASCII literal characters".to_owned(),
        E::LineContinuationError => "unexpected character after line continuation character".to_owned(),
        E::FStringError(error) | E::TStringError(error) => format!("f-string: {}", field(error)),
        E::OtherError(own) if own.contains("ecimal") => {
            if own.contains("integer") {
                "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers".to_owned()
            } else {
                "invalid decimal literal".to_owned()
            }
        }
        _ => "invalid syntax".to_owned(),
    };
    format!("SyntaxError: {words}")
}

fn field(error: &InterpolatedStringErrorType) -> &'static str {
    use InterpolatedStringErrorType as E;
    match error {
        E::UnclosedLbrace => "expecting '}'",
        E::SingleRbrace => "single '}' is not allowed",
        E::InvalidConversionFlag => "invalid conversion character",
        E::ConversionFlagNotImmediatelyAfterExclamation => {
            "conversion type must come right after the exclamation mark"
        }
        E::LambdaWithoutParentheses => "lambda expressions are not allowed without parentheses",
        E::UnterminatedString | E::UnterminatedTripleQuotedString => "unterminated string",
        E::NewlineInFormatSpec => "newlines are not allowed in format specifiers when using single quotes",
    }
}
