// Outside Pi, the extension's host packages are found beside the tests. Loaded with --import.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const theirs = specifier.startsWith("@earendil-works/") || specifier === "ws";
    const inExtension = context.parentURL?.includes("/frontends/pi/src/");
    return next(specifier, theirs && inExtension ? { ...context, parentURL: import.meta.url } : context);
  },
});
