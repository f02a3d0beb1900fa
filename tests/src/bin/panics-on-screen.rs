//! Takes the terminal as the screen does, and panics.

fn main() {
    let terminal = askd_tui::Terminal::open();
    assert!(terminal.is_err(), "the panic's message is to be read");
}
