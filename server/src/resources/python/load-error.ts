import type { InspectedModule } from "../contract.ts";

/** Why a Python file does not load, without the full stop that Python's own messages often have: it stands within a sentence. */
export function loadError({ type, message }: Extract<InspectedModule, { readonly kind: "broken" }>): string {
  return `${type}: ${message.replace(/(?<![.\s])[.\s]+$/, "")}`;
}
