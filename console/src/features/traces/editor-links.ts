import type { Message } from "@frontdesk/protos/ces/example";
import { parentApp, resourceId, resourceTitle } from "../../api/resource-names.ts";
import type { EditSearch } from "../resources/use-tab.ts";
import { type AppCodeIndex, codeOfCallback, toolNamed } from "./app-code-index.ts";
import type { SpanRow } from "./span-rows.ts";

/** Something that a span speaks of, and where it is edited. */
export interface EditorLink {
  /** Its label. */
  readonly title: string;
  readonly resource: string;
  readonly search?: EditSearch;
}

/** Where everything that a span names is edited, the most telling first. What the app does not have any more is left out. */
export function editorLinks(
  { kind, span: { attributes = {} } }: SpanRow,
  codeIndex: AppCodeIndex,
  messages: readonly Message[],
): readonly EditorLink[] {
  const own = () => {
    switch (kind) {
      case "callback":
        return callbackLink(attributes, codeIndex);
      case "tool":
        return toolLink(attributes.name, codeIndex, messages);
      case "guardrail":
        return resourceLink("Guardrail", codeIndex.guardrails, attributes.name);
      case "transfer":
        return resourceLink("Agent", codeIndex.agents, attributes.target);
      default:
        return [];
    }
  };
  return [...own(), ...resourceLink("Agent", codeIndex.agents, attributes.agent)];
}

type Named = { readonly name: string; readonly displayName: string };

function resourceLink(kind: string, resources: readonly Named[], displayName: unknown): readonly EditorLink[] {
  const found = resources.find((resource) => resource.displayName === displayName);
  return found ? [{ title: `${kind} ${resourceTitle(found)}`, resource: found.name }] : [];
}

function callbackLink(attributes: Readonly<Record<string, unknown>>, codeIndex: AppCodeIndex): readonly EditorLink[] {
  const code = codeOfCallback(attributes, codeIndex);
  return code ? [{ title: `${attributes.stage} callback`, resource: code.resource, search: code.search }] : [];
}

/** The app's own tool of that name, or the toolset that the recorded call names. */
function toolLink(name: unknown, codeIndex: AppCodeIndex, messages: readonly Message[]): readonly EditorLink[] {
  const tool = toolNamed(name, codeIndex);
  if (tool) return [{ title: `Tool ${resourceTitle(tool)}`, resource: tool.name }];
  const chunks = messages.flatMap((message) => message.chunks.map(({ data }) => data));
  const call = chunks.find((data) => data.case === "toolCall" && data.value.displayName === name);
  const from = call?.case === "toolCall" ? call.value.toolIdentifier : undefined;
  if (from?.case !== "toolsetTool" || parentApp(from.value.toolset) === from.value.toolset) return [];
  return [{ title: `Toolset ${resourceId(from.value.toolset)}`, resource: from.value.toolset }];
}
