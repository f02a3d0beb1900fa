//! What a person can do: the one vocabulary that terminals, hosts and tests feed.

use super::buffer::EditKey;

/// One thing done by a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// To the next tab; after the last comes the first.
    NextTab,
    /// To the tab before; before the first comes the last.
    PreviousTab,
    /// To a question by its position, or with the number of questions to the review.
    GoTo(usize),
    /// To the next row.
    NextOption,
    /// To the row before.
    PreviousOption,
    /// To the first row.
    FirstOption,
    /// To the last row.
    LastOption,
    /// Eight rows on.
    PageDown,
    /// Eight rows back.
    PageUp,
    /// To a row by its position, as a click does.
    Point(usize),
    /// Confirms: takes the highlighted row, or what is ticked, and moves on.
    Confirm,
    /// Selects or clears the highlighted row.
    Toggle,
    /// A digit from 1 to 9.
    Digit(u8),
    /// Ticks all listed options.
    SelectAll,
    /// Clears all listed options.
    ClearAll,
    /// Presents the question as another type.
    ChangeType,
    /// Opens the note on the highlighted option.
    OptionNote,
    /// Opens the note on the question.
    QuestionNote,
    /// Leaves the form: Escape in its default place.
    Cancel,
    /// Leaves the form from anywhere: Control and C in its default place.
    Dismiss,
    /// Saves the open editor's text; `enter` when the Enter key did it, which after a backslash is a newline.
    Save {
        /// Whether it was the plain Enter key.
        enter: bool,
    },
    /// Keeps the open editor's text as it is and closes the editor.
    Close,
    /// An editing key.
    Edit(EditKey),
    /// Typed text.
    Insert(String),
    /// Pasted text.
    Paste(String),
    /// Opens the settings.
    Settings,
    /// Something of the screen's own: scrolling, help, redrawing. It changes nothing here but ends what waits for a
    /// second press.
    View(ViewAction),
    /// A key with no meaning here; it ends what waits for a second press.
    Other,
}

/// What concerns the screen only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewAction {
    /// Shows the keys in force.
    Help,
    /// Shows what the agent said before it asked.
    Context,
    /// Scrolls the preview, or the review's answers, on.
    ScrollDown,
    /// Scrolls it back.
    ScrollUp,
    /// Scrolls it to the right.
    ScrollRight,
    /// Scrolls it to the left.
    ScrollLeft,
    /// Scrolls the question's text on.
    PromptDown,
    /// Scrolls it back.
    PromptUp,
    /// Closes the screen and leaves the form open.
    Minimise,
    /// Draws everything anew.
    Redraw,
    /// Stops the program as the shell's job control does.
    Suspend,
}
