import { FrontdeskChat } from "./frontdesk-chat.ts";
import type { JsonObject } from "./rich-content.ts";

export type { Texts } from "./texts.ts";
export type { FrontdeskChat };

declare global {
  interface HTMLElementTagNameMap {
    "frontdesk-chat": FrontdeskChat;
  }
  interface HTMLElementEventMap {
    "frontdesk-open": CustomEvent<{ readonly open: boolean }>;
    "frontdesk-message": CustomEvent<{ readonly side: "user" | "agent"; readonly text: string }>;
    /** The widget does not display a payload whose event is prevented. */
    "frontdesk-payload": CustomEvent<JsonObject>;
    "frontdesk-tool-call": CustomEvent<{ readonly id: string; readonly name: string; readonly args: JsonObject }>;
    "frontdesk-error": CustomEvent<{ readonly message: string }>;
    /** `metadata`: what the agent ended the session with, e.g. `session_escalated` when a person is to take over. */
    "frontdesk-end": CustomEvent<{ readonly metadata: JsonObject }>;
  }
}

// A page may bring the script twice; the first one stays.
if (!customElements.get("frontdesk-chat")) customElements.define("frontdesk-chat", FrontdeskChat);
