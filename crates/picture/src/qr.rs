//! QR codes of links.

use qrcode::render::svg::Color;
use qrcode::{EcLevel, QrCode};

/// The longest text of a code, in bytes.
const LONGEST: usize = 512;

/// The code as an SVG file: black on white with four modules of quiet around it (ISO/IEC 18004, 6.3.8), so that it is
/// read in every theme. `None` when the text is longer than 512 bytes.
#[must_use]
pub fn qr(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let mut svg = code.render();
    let svg =
        svg.dark_color(Color("#000")).light_color(Color("#fff")).quiet_zone(true).min_dimensions(240, 240);
    Some(svg.build())
}

#[cfg(test)]
mod tests {
    #[test]
    fn links_are_codes_and_novels_are_not() {
        let svg = super::qr("https://hall.example/t/abcdefgh").expect("short enough");
        assert!(svg.contains("<svg") && svg.len() < 40_000, "{}", svg.len());
        assert_eq!(super::qr(&"x".repeat(513)), None);
    }
}
