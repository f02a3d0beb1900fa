// Waiting for a condition, never for a time that is hoped to be enough.
const DEADLINE_MS = 20_000;
const STEP_MS = 15;

/** The first truthy value `check` gives. */
export async function until(what, check, deadline = DEADLINE_MS) {
  const end = Date.now() + deadline;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${deadline} ms for ${what}`);
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
}
