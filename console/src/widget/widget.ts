import { FrontdeskChat } from "./frontdesk-chat.ts";

// A page may bring the script twice; the first one stays.
if (!customElements.get("frontdesk-chat")) customElements.define("frontdesk-chat", FrontdeskChat);
