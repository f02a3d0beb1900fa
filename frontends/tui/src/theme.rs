//! Colours by meaning. Body text keeps the terminal's own foreground; whatever a colour says, a glyph or word says too.

use askd_wire::settings::Theme as Choice;
use ratatui::style::{Color, Modifier, Style};
use serde_json::Value;

/// How things look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The focused row, the open tab.
    pub accent: Style,
    /// What is beside the matter: descriptions, hints.
    pub muted: Style,
    /// Recommended, unsent, refused.
    pub warning: Style,
    /// Answered.
    pub success: Style,
    /// Failed.
    pub error: Style,
}

impl Theme {
    /// The theme of the settings. `no_color` is the environment's wish and wins.
    #[must_use]
    pub fn new(choice: Choice, no_color: bool) -> Self {
        let plain = Style::new();
        let dim = plain.add_modifier(Modifier::DIM);
        let bold = plain.add_modifier(Modifier::BOLD);
        let fg = |color| plain.fg(color);
        match choice {
            _ if no_color => Self::without_colour(),
            Choice::None => Self::without_colour(),
            Choice::Auto => Self {
                accent: bold.fg(Color::Cyan),
                muted: dim,
                warning: fg(Color::Yellow),
                success: fg(Color::Green),
                error: fg(Color::Red),
            },
            Choice::Dark => Self {
                accent: bold.fg(Color::Indexed(117)),
                muted: fg(Color::Indexed(246)),
                warning: fg(Color::Indexed(221)),
                success: fg(Color::Indexed(114)),
                error: fg(Color::Indexed(210)),
            },
            Choice::Light => Self {
                accent: bold.fg(Color::Indexed(25)),
                muted: fg(Color::Indexed(241)),
                warning: fg(Color::Indexed(130)),
                success: fg(Color::Indexed(28)),
                error: fg(Color::Indexed(124)),
            },
        }
    }

    fn without_colour() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        Self { accent: bold, muted: plain, warning: bold, success: plain, error: bold }
    }

    /// Takes a host's colours over (protocol §9, `theme`); what is missing or unreadable stays.
    #[must_use]
    pub fn with_host_colours(mut self, colours: &Value) -> Self {
        for (name, style) in [
            ("accent", &mut self.accent),
            ("muted", &mut self.muted),
            ("warning", &mut self.warning),
            ("success", &mut self.success),
            ("error", &mut self.error),
        ] {
            if let Some(colour) = colours.get(name).and_then(colour) {
                *style = style.remove_modifier(Modifier::DIM).fg(colour);
            }
        }
        self
    }
}

fn colour(value: &Value) -> Option<Color> {
    if let Some(number) = value.as_u64() {
        return u8::try_from(number).ok().map(Color::Indexed);
    }
    let text = value.as_str()?;
    let Some(hex) = text.strip_prefix('#') else { return text.parse().ok().map(Color::Indexed) };
    if hex.len() != 6 || !hex.is_ascii() {
        return None;
    }
    let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok();
    Some(Color::Rgb(part(0)?, part(2)?, part(4)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_host_gives_colours_as_hex_or_number() {
        let theme = Theme::new(Choice::Auto, false);
        let given =
            theme.with_host_colours(&json!({"accent":"#0a0B0c","warning":208,"muted":"red","error":300}));
        assert_eq!(given.accent.fg, Some(Color::Rgb(10, 11, 12)));
        assert_eq!(given.warning.fg, Some(Color::Indexed(208)));
        assert_eq!((given.muted, given.error), (theme.muted, theme.error));
    }

    #[test]
    fn no_colour_means_none() {
        let theme = Theme::new(Choice::Dark, true);
        for style in [theme.accent, theme.muted, theme.warning, theme.success, theme.error] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }
}
