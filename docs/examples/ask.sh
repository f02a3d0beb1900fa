#!/bin/sh
# Asks one question through askd from a shell script, and does something else for each way it can end.
# `ask new` starts the daemon if none runs, and opens the form here if this is a terminal. Without one it
# waits until somebody answers elsewhere, for example with `ask answer` in another window.

result=$(ask new - --expect target=staging <<'FORM'
{
  "title": "Release",
  "questions": [{
    "id": "target", "label": "Target", "prompt": "Where should this go?",
    "options": [
      {"value": "staging", "label": "Staging", "description": "for the testers", "recommended": true},
      {"value": "production", "label": "Production"}
    ]
  }]
}
FORM
)
status=$?

case $status in
  0) echo "to staging, as asked" ;;
  10) echo "answered, but not staging: $result" ;;
  3) echo "nobody approved this; nothing is done" ;;
  4) echo "there is a question first: $result" ;;
  *) echo "could not ask (ask ended with $status)" >&2 ;;
esac
exit "$status"
