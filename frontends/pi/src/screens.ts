/** Forms on Pi's screen: shown, minimised, opened again, taken away. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Closed } from "./hosted.ts";
import { hostTui, type Screen } from "./host-tui.ts";

export const REOPEN_KEY = "alt+a";
export const REOPEN_COMMAND = "ask:open";
const WIDGET = "askd";

export type FormOnScreen = { ask: string; args: string[]; viewKey: string; message: string };

export class Screens {
  #hidden: FormScreen[] = [];
  #all = new Set<FormScreen>();

  open(ctx: ExtensionContext, form: FormOnScreen): FormScreen {
    const screen = new FormScreen(ctx, form, this);
    this.#all.add(screen);
    screen.show();
    return screen;
  }

  /** Brings back the form that was put away last; false when none is. */
  reopen(): boolean {
    const screen = this.#hidden.pop();
    screen?.show();
    if (screen) this.#tell(screen.ctx);
    return screen !== undefined;
  }

  /** Ends every frontend at once; the forms stay as they are. */
  quit(): void {
    for (const screen of [...this.#all]) screen.quit();
  }

  hide(screen: FormScreen): void {
    this.#hidden.push(screen);
    this.#tell(screen.ctx);
  }

  forget(screen: FormScreen): void {
    this.#all.delete(screen);
    if (!this.#hidden.includes(screen)) return;
    this.#hidden = this.#hidden.filter((each) => each !== screen);
    this.#tell(screen.ctx);
  }

  #tell(ctx: ExtensionContext): void {
    const count = this.#hidden.length;
    const what = count === 1 ? "A question waits" : `${count} questions wait`;
    ctx.ui.setWidget(WIDGET, count === 0 ? undefined : [`? ${what} for your answer · ${keyName(REOPEN_KEY)} or /${REOPEN_COMMAND} opens it`]);
  }
}

/** One form's place on the screen, over as many openings as the person likes. */
export class FormScreen {
  readonly ctx: ExtensionContext;
  #form: FormOnScreen;
  #screens: Screens;
  #screen: Screen | undefined;
  #over = false;

  constructor(ctx: ExtensionContext, form: FormOnScreen, screens: Screens) {
    this.ctx = ctx;
    this.#form = form;
    this.#screens = screens;
  }

  show(): void {
    const screen = hostTui(this.ctx, this.#form);
    this.#screen = screen;
    void screen.closed.then((closed) => this.#onClosed(closed));
  }

  /** The form has its outcome: off the screen, with a line where somebody else decided. */
  end(): void {
    this.#over = true;
    this.#screen?.end();
    this.#screens.forget(this);
  }

  /** Off the screen with nothing said; the form may still be open. */
  quit(): void {
    this.#over = true;
    this.#screen?.quit();
    this.#screen = undefined;
    this.#screens.forget(this);
  }

  #onClosed(closed: Closed): void {
    const screen = this.#screen;
    this.#screen = undefined;
    if (!screen && this.#over) return;
    if (closed.reason === "elsewhere" || closed.reason === "expired") {
      if (closed.message) this.ctx.ui.notify(closed.message, "info");
    } else if (closed.reason === "minimised" && !this.#over) {
      this.#screens.hide(this);
    } else if (closed.reason === "failed" && !this.#over) {
      const why = closed.message || "it ended without saying why";
      this.ctx.ui.notify(`The form could not be shown: ${why}. It is still open: /${REOPEN_COMMAND} tries again, and \`ask answer\` in another terminal answers it.`, "error");
      this.#screens.hide(this);
    }
  }
}

function keyName(key: string): string {
  return key.split("+").map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join("+");
}
