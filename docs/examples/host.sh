#!/bin/sh
# A complete dialog host: shows a form of askd with plain prompts. Usage: host.sh FORM. It needs jq.
# A number picks a row, an empty line dismisses the dialog. The end of input leaves the form open.
pipes=$(mktemp -d) || exit 1
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/to" "$pipes/from" || exit 1
ask dialog --host --form "$1" <"$pipes/to" >"$pipes/from" &
frontend=$!
exec 3>"$pipes/to" 4<"$pipes/from" 5<&0

get() { printf '%s\n' "$message" | jq -r "$1"; }
reply() { printf '%s\n' "$message" | jq -c --arg value "$1" "{jsonrpc: \"2.0\", id, result: $2}" >&3; }

# Shows the dialog in $message and sends what the person does.
dialog() {
  get '.params | .title, (.options // [] | to_entries[] | "\(.key + 1)) \(.value)")'
  rows=$(get '.params.options // [] | length')
  while IFS= read -r line; do
    case $line in
      '') reply '' '{cancelled: true}'; return ;;
      *[!0-9]* | 0* | ????*) [ "$rows" -gt 0 ] || { reply "$line" '{value: $value}'; return; } ;;
      *) [ "$rows" -gt 0 ] || { reply "$line" '{value: $value}'; return; }
         [ "$line" -gt "$rows" ] || { reply "$line" '{value: .params.options[($value | tonumber) - 1]}'; return; } ;;
    esac
    echo 'Type the number of a row.'
  done
  kill "$frontend" # nobody is there any more
}

while IFS= read -r message <&4; do
  case $(get .method) in
    # In the background, so that a dialog can be taken away while nothing is typed.
    select | input) dialog <&5 4<&- & person=$! ;;
    close) kill "$person" ;;
    closed) get '.params | [.reason, .message // empty] | join(": ")' ;;
  esac
done
wait "$frontend"
