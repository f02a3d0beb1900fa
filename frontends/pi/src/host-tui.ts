/** The terminal frontend inside Pi's screen: a component that draws its frames and hands it keys (docs/protocol.md §9). */

import type { ExtensionContext, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, CURSOR_MARKER, type Focusable, renderFakeCursor, sliceByColumn, type TUI, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { themeColours } from "./colours.ts";
import { type Frame, fitted } from "./fit.ts";
import { type Closed, Hosted, type Message } from "./hosted.ts";
import { Keys } from "./keys.ts";
import { throughTmux } from "./text.ts";

/** Rows that Pi needs below and above an inline component; more would be cut off. */
const RESERVED_ROWS = 4;
/** How long a frontend that was told to go may still say who answered. */
const LAST_WORDS_MS = 300;
const TERMINAL_SEQUENCE = /^(?:\u0007|\u001b\](?:9|777|99);[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\))$/;

const FOCUS_IN = "\u001b[I";
const FOCUS_OUT = "\u001b[O";

export type TuiOptions = { ask: string; args: string[]; viewKey?: string; message?: string };

/** A frontend on Pi's screen. */
export interface Screen {
  /** How the frontend ended, also when Pi took the screen away. */
  readonly closed: Promise<Closed>;
  /** Takes it off the screen at once and lets it say how the form ended. */
  end(): void;
  /** Takes it off the screen and ends it at once; the form stays as it is. */
  quit(): void;
}

/** Shows the frontend in the editor's place until it closes or is ended. */
export function hostTui(ctx: ExtensionContext, options: TuiOptions): Screen {
  let view: HostedView | undefined;
  let leave: (() => void) | undefined;
  let gone = false;
  const hosted = new Hosted(options.ask, options.args);
  hosted.onMessage = (message) => view?.receive(message);
  if (options.viewKey) hosted.notify("viewKey", { key: options.viewKey });
  const remove = () => {
    gone = true;
    leave?.();
  };
  // Pi disposes of a component when it is done, and also when it takes the screen away without settling it.
  const onDispose = () => {
    if (!gone) hosted.end();
  };
  const blocked = options.message ? { blocked: { kind: "question" as const, message: options.message } } : {};
  const shown = ctx.ui.custom<void>((tui, theme, _keybindings, done) => {
    leave = () => done();
    view = new HostedView(tui, theme, hosted, onDispose);
    return view;
  }, blocked);
  // A screen that cannot be shown must not leave its frontend running.
  shown.catch(() => hosted.end());
  const unlisten = ctx.ui.onTerminalInput((data) => {
    if (data === FOCUS_IN || data === FOCUS_OUT) view?.windowFocus(data === FOCUS_IN);
    return undefined;
  });
  void hosted.closed.then(() => {
    unlisten();
    remove();
    hosted.end();
  });
  return {
    closed: hosted.closed,
    end() {
      remove();
      const timer = setTimeout(() => hosted.end(), LAST_WORDS_MS).unref();
      void hosted.closed.then(() => clearTimeout(timer));
    },
    quit() {
      remove();
      hosted.end();
    },
  };
}

class HostedView implements Component, Focusable {
  /** Page keys are the form's while it has the focus. */
  readonly capturesViewportInput = true;
  #tui: TUI;
  #theme: Theme;
  #hosted: Hosted;
  #keys = new Keys();
  readonly dispose: () => void;
  #frame: Frame | undefined;
  #drawn: { width: number; focused: boolean; lines: string[] } | undefined;
  #size = { columns: 0, rows: 0 };
  #tallest = 0;
  #colours = "";
  #focused = false;
  #window = true;

  constructor(tui: TUI, theme: Theme, hosted: Hosted, dispose: () => void) {
    this.#tui = tui;
    this.#theme = theme;
    this.#hosted = hosted;
    this.dispose = dispose;
    this.#sendTheme();
    this.#sendSize(tui.terminal.columns);
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    if (focused === this.#focused) return;
    this.#focused = focused;
    this.#sendFocus();
  }

  windowFocus(focused: boolean): void {
    this.#window = focused;
    this.#sendFocus();
  }

  receive(message: Message): void {
    if (message.method === "frame") {
      this.#frame = fitted(message.params as Frame, this.#tallest);
      this.#tallest = this.#frame.lines.length;
      this.#drawn = undefined;
      this.#tui.requestRender();
    } else if (message.method === "bell") {
      this.#tui.terminal.write("\u0007");
    } else if (message.method === "terminal") {
      const { sequence } = message.params as { sequence: string };
      if (TERMINAL_SEQUENCE.test(sequence)) this.#tui.terminal.write(process.env.TMUX ? throughTmux(sequence) : sequence);
    }
  }

  render(width: number): readonly string[] {
    this.#sendSize(width);
    if (this.#drawn?.width === width && this.#drawn.focused === this.#focused) return this.#drawn.lines;
    const { lines = [], cursor } = this.#frame ?? {};
    const fitting = lines.slice(0, this.#size.rows).map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, "") : line));
    if (cursor && this.#focused) {
      const line = fitting[cursor.row];
      if (line !== undefined) fitting[cursor.row] = withCursor(line, cursor.column, width);
    }
    this.#drawn = { width, focused: this.#focused, lines: fitting };
    return fitting;
  }

  handleInput(data: string): void {
    const input = this.#keys.read(data);
    if (input) this.#hosted.notify(input.method, input.params);
  }

  /** Pi calls this when its theme changes. */
  invalidate(): void {
    this.#drawn = undefined;
    this.#sendTheme();
  }

  #sendSize(columns: number): void {
    const rows = Math.max(1, this.#tui.terminal.rows - RESERVED_ROWS);
    if (columns === this.#size.columns && rows === this.#size.rows) return;
    this.#size = { columns, rows };
    this.#tallest = 0;
    this.#hosted.notify("resize", this.#size);
  }

  #sendTheme(): void {
    const colours = themeColours(this.#theme);
    if (JSON.stringify(colours) === this.#colours) return;
    this.#colours = JSON.stringify(colours);
    this.#hosted.notify("theme", { colors: colours });
  }

  #sendFocus(): void {
    this.#hosted.notify("focus", { focused: this.#focused && this.#window });
  }
}

function withCursor(line: string, column: number, width: number): string {
  const before = sliceByColumn(line, 0, column);
  const padded = before + " ".repeat(Math.max(0, column - visibleWidth(before)));
  const under = sliceByColumn(line, column, 1) || " ";
  const after = sliceByColumn(line, column + Math.max(1, visibleWidth(under)), width);
  return padded + CURSOR_MARKER + renderFakeCursor(under) + after;
}
