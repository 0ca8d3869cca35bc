import { registerHooks } from "node:module";

/** Preloaded into the inspector's command line: published by itself, it looks for the package file of the suite that it usually lies in. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "../../package.json" ? "../package.json" : specifier, context),
});
