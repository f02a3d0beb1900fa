// Copies the declarations generated from the protocol into the package, which is published without
// the rest of the repository. `--check` only compares; the tests run it.
import { readFileSync, writeFileSync } from "node:fs";

const from = new URL("../../../docs/schema/askd.d.ts", import.meta.url);
const to = new URL("../src/askd.d.ts", import.meta.url);
const generated = readFileSync(from, "utf8");
if (process.argv.includes("--check")) {
  if (readFileSync(to, "utf8") !== generated) {
    console.error("src/askd.d.ts differs from docs/schema/askd.d.ts; run `npm run types` in frontends/pi.");
    process.exit(1);
  }
} else {
  writeFileSync(to, generated);
}
