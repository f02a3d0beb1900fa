//! The settings that are on or off, by name: the key they are saved under and the words they are shown with.

/// A setting that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Toggle {
    /// Submit on arrival at the review.
    AutoSubmit,
    /// Leaving needs a second press.
    ConfirmDismiss,
    /// Digits on the review need a second press.
    DoublePress,
    /// The footer names the keys.
    FooterHints,
    /// New forms present single choices as multiple ones.
    SingleAsMulti,
    /// Tell the person of new forms.
    Notifications,
    /// Buttons that answer.
    AnswerButtons,
    /// Without the question.
    Privacy,
}

/// All of them, in the order they are shown.
pub const TOGGLES: [Toggle; 8] = [
    Toggle::AutoSubmit,
    Toggle::ConfirmDismiss,
    Toggle::DoublePress,
    Toggle::FooterHints,
    Toggle::SingleAsMulti,
    Toggle::Notifications,
    Toggle::AnswerButtons,
    Toggle::Privacy,
];

impl Toggle {
    /// The dotted key in the settings.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::AutoSubmit => "behaviour.autoSubmitWhenAnsweredWithoutNotes",
            Self::ConfirmDismiss => "behaviour.confirmDismissWhenDirty",
            Self::DoublePress => "behaviour.doublePressReviewShortcuts",
            Self::FooterHints => "behaviour.showFooterHints",
            Self::SingleAsMulti => "behaviour.presentSingleAsMulti",
            Self::Notifications => "notifications.enabled",
            Self::AnswerButtons => "notifications.answerButtons",
            Self::Privacy => "notifications.privacy",
        }
    }

    /// What it is called on the screen; the ask contract's words where it has some.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::AutoSubmit => "Auto-submit when answered without notes",
            Self::ConfirmDismiss => "Confirm dismiss when dirty",
            Self::DoublePress => "Double-press review shortcuts",
            Self::FooterHints => "Show footer hints",
            Self::SingleAsMulti => "Present single-select as multi-select",
            Self::Notifications => "Notifications",
            Self::AnswerButtons => "Answer buttons on notifications",
            Self::Privacy => "Keep questions out of notifications",
        }
    }

    /// Whether open forms stay as they are.
    #[must_use]
    pub fn is_for_new_forms(self) -> bool {
        self == Self::SingleAsMulti
    }
}
