import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import type { Named, Names } from "../code-language.ts";

/** After `{`: agents, tools and variables of the app, written as an instruction refers to them. */
export function completeInstruction(names: () => Names | undefined): CompletionSource {
  return (context) => {
    const begun = context.matchBefore(/\{[^{}\n]*/);
    const known = names();
    if (!begun || !known) return null;
    return {
      from: begun.from,
      options: [
        ...known.agents.map((agent) => option(agent, `{@AGENT: ${agent.name}}`, "class")),
        ...known.tools.map((tool) => option(tool, `{@TOOL: ${tool.name}}`, "function")),
        ...known.variables.map((variable) => option(variable, `{${variable.name}}`, "variable")),
      ],
      validFor: /^\{[^{}\n]*$/,
    };
  };
}

/** Takes the brace with it that the editor closed by itself. */
function option({ description }: Named, text: string, type: string): Completion {
  return {
    label: text,
    type,
    detail: description.slice(0, 60),
    apply: (view, completion, from, to) => {
      const closed = view.state.sliceDoc(to, to + 1) === "}";
      view.dispatch({
        changes: { from, to: closed ? to + 1 : to, insert: completion.label },
        selection: { anchor: from + completion.label.length },
        userEvent: "input.complete",
      });
    },
  };
}
