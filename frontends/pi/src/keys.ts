/** What Pi hands to a component as one key, in the words of the hosted frontend (docs/protocol.md §9, `key` and `paste`). */

import { decodeKittyPrintable, isKeyRelease, isKeyRepeat, parseKey } from "@earendil-works/pi-tui";

export type Input =
  | { method: "key"; params: { id?: string; text?: string; repeat?: boolean } }
  | { method: "paste"; params: { text: string } };

const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const HIGH_SURROGATE = /^[\ud800-\udbff]$/;
const LOW_SURROGATE = /^[\udc00-\udfff]$/;

/** Reads one terminal's input, piece by piece. */
export class Keys {
  #half = "";

  /** The message for a piece of input, or nothing for releases and sequences that mean nothing. */
  read(data: string): Input | undefined {
    // Pi hands over text by UTF-16 unit, so a character outside the basic plane comes in two pieces.
    const half = this.#half;
    this.#half = HIGH_SURROGATE.test(data) ? data : "";
    if (this.#half) return undefined;
    return toInput(half && LOW_SURROGATE.test(data) ? half + data : data);
  }
}

function toInput(data: string): Input | undefined {
  const paste = PASTE.exec(data);
  if (paste) return { method: "paste", params: { text: paste[1] ?? "" } };
  if (isKeyRelease(data)) return undefined;
  const id = parseKey(data);
  const text = decodeKittyPrintable(data) ?? (CONTROL.test(data) ? undefined : data);
  if (id === undefined && text === undefined) return undefined;
  return {
    method: "key",
    params: { ...(id && { id }), ...(text && { text }), ...(isKeyRepeat(data) && { repeat: true }) },
  };
}
