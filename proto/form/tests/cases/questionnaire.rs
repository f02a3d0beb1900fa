//! Questionnaire cases: validation, waiting and structured results.
