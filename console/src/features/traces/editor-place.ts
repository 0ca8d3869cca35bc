import type { Message } from "@frontdesk/protos/ces/example";
import { appOf, idOf, titleOf } from "../../api/resource-address.ts";
import type { EditSearch } from "../resources/use-tab.ts";
import { type CodeShelf, codeOfCallback, toolNamed } from "./code-place.ts";
import type { SpanRow } from "./span-rows.ts";

/** Something that a span speaks of, and where it is edited. */
export interface EditorPlace {
  /** What it is, as people call it. */
  readonly title: string;
  readonly resource: string;
  readonly search?: EditSearch;
}

/** Where everything that a span names is edited, the most telling first. What the app does not have any more is left out. */
export function editorPlaces(
  { kind, span: { attributes = {} } }: SpanRow,
  shelf: CodeShelf,
  messages: readonly Message[],
): readonly EditorPlace[] {
  const own = () => {
    switch (kind) {
      case "callback":
        return callbackPlace(attributes, shelf);
      case "tool":
        return toolPlace(attributes.name, shelf, messages);
      case "guardrail":
        return placeOf("Guardrail", shelf.guardrails, attributes.name);
      case "transfer":
        return placeOf("Agent", shelf.agents, attributes.target);
      default:
        return [];
    }
  };
  return [...own(), ...placeOf("Agent", shelf.agents, attributes.agent)];
}

type Named = { readonly name: string; readonly displayName: string };

function placeOf(kind: string, resources: readonly Named[], displayName: unknown): readonly EditorPlace[] {
  const found = resources.find((resource) => resource.displayName === displayName);
  return found ? [{ title: `${kind} ${titleOf(found)}`, resource: found.name }] : [];
}

function callbackPlace(attributes: Readonly<Record<string, unknown>>, shelf: CodeShelf): readonly EditorPlace[] {
  const code = codeOfCallback(attributes, shelf);
  return code ? [{ title: `This ${attributes.stage} callback`, resource: code.resource, search: code.search }] : [];
}

/** The app's own tool of that name, or the toolset that the recorded call says it came from. */
function toolPlace(name: unknown, shelf: CodeShelf, messages: readonly Message[]): readonly EditorPlace[] {
  const tool = toolNamed(name, shelf);
  if (tool) return [{ title: `Tool ${titleOf(tool)}`, resource: tool.name }];
  const chunks = messages.flatMap((message) => message.chunks.map(({ data }) => data));
  const call = chunks.find((data) => data.case === "toolCall" && data.value.displayName === name);
  const from = call?.case === "toolCall" ? call.value.toolIdentifier : undefined;
  if (from?.case !== "toolsetTool" || appOf(from.value.toolset) === from.value.toolset) return [];
  return [{ title: `Toolset ${idOf(from.value.toolset)}`, resource: from.value.toolset }];
}
