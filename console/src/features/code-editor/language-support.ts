import { autocompletion, type CompletionSource } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { globalCompletion, localCompletionSource, python } from "@codemirror/lang-python";
import { yaml } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";
import type { CodeLanguage, Names } from "./code-language.ts";
import { completeInstruction } from "./instruction/complete-instruction.ts";
import { highlightReferences } from "./instruction/highlight-references.ts";
import { lineDirection } from "./line-direction.ts";
import { completePython } from "./python/complete-python.ts";

/** Colours and completions of a language. `names` is called each time, since other clients may change the app. */
export function languageSupport(language: CodeLanguage, names: () => Names | undefined): Extension {
  switch (language) {
    case "python":
      return [
        python(),
        autocompletion({ override: [completePython(names), alone(globalCompletion), alone(localCompletionSource)] }),
      ];
    case "json":
      return json();
    case "yaml":
      return yaml();
    case "instruction":
      return [highlightReferences, lineDirection, autocompletion({ override: [completeInstruction(names)] })];
    case "text":
      return lineDirection;
  }
}

/** Completes names of the language except after a dot, where only members are valid. */
function alone(source: CompletionSource): CompletionSource {
  return (context) => (context.matchBefore(/\.\w*/) ? null : source(context));
}
