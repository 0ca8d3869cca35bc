import { make, makeInlineImage, makeLink } from "./dom.ts";
import { isObject, type JsonObject, type RichActions, richContent, widgetContent } from "./rich-content.ts";
import type { Output } from "./session-client.ts";

/** What the chat draws of an answer besides its words. */
export type CardOutput = Extract<Output, { readonly kind: "payload" | "image" | "citations" | "tool-call" }>;

/** The elements of an output; none for one that the page cannot show. */
export function drawOutput(output: CardOutput, actions: RichActions): readonly HTMLElement[] {
  switch (output.kind) {
    case "payload":
      return isWidget(output.payload) ? [] : richContent(output.payload, actions);
    case "image": {
      const image = makeInlineImage(output.mimeType, output.data);
      return image ? [image] : [];
    }
    case "citations": {
      const links = output.sources.map(({ title, uri }) => make("li", {}, makeLink(uri, title)));
      return [make("ul", { className: "sources" }, ...links)];
    }
    case "tool-call":
      return widgetContent(output.args, actions);
  }
}

/** The settings of a widget tool (TOOL-15): the call that follows has what it shows, and is drawn. */
function isWidget({ widget, ...others }: JsonObject): boolean {
  return isObject(widget) && isObject(widget.parameters) && Object.keys(others).length === 0;
}
