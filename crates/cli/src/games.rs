//! The command `qiguan games`: lists every game with its options.

use crate::out::line;
use texts::Language;

#[expect(clippy::unnecessary_wraps, reason = "as every command")]
pub fn run(json: bool, language: Language) -> Result<(), String> {
    if json {
        let game = |entry: &catalog::Entry| {
            let option = |o: &catalog::OptionSpec| serde_json::json!({"key": o.key, "min": o.min, "max": o.max, "usual": o.usual, "online": o.online});
            serde_json::json!({
                "key": entry.key,
                "zh": texts::game(Language::Chinese, entry.key),
                "en": texts::game(Language::English, entry.key),
                "options": entry.options.iter().map(option).collect::<Vec<_>>(),
            })
        };
        let games: Vec<_> = catalog::ENTRIES.iter().map(game).collect();
        line!("{}", serde_json::Value::from(games));
        return Ok(());
    }
    for entry in catalog::ENTRIES.iter() {
        let other = if language == Language::English { Language::Chinese } else { Language::English };
        line!("{:20}  {}  {}", entry.key, texts::game(language, entry.key), texts::game(other, entry.key));
    }
    Ok(())
}
