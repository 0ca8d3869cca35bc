import { createTextThreads, type TextThreads } from "../text-search/text-threads.ts";
import { type CustomDetectors, redactText, withDetectors } from "./builtin-detectors.ts";
import { type Redaction, WITHHELD } from "./contract.ts";

/** Texts of one record that are redacted on the main thread, UTF-16 units in all: some milliseconds. */
const MAX_UNITS = 20_000;

/**
 * Redaction by built-in detectors, the same for every app: templates of Cloud DLP that an app names are ignored (the app's
 * `validation_errors` say so). Long texts are redacted in a thread; texts for which that fails are withheld (CONV-26).
 */
export function createBuiltinRedaction(
  custom: CustomDetectors = {},
  threads: TextThreads = createTextThreads(),
): Redaction {
  const detectors = withDetectors(custom);
  return {
    redactorFor: (_config, app) => ({
      redact: async (texts) => {
        if (texts.reduce((sum, text) => sum + text.length, 0) <= MAX_UNITS)
          return texts.map((text) => redactText(text, detectors));
        return (await threads.forApp(app).redact(custom, texts)) ?? texts.map(() => WITHHELD);
      },
    }),
  };
}
