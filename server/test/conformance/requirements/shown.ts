import { type Requirement, row } from "./requirement.ts";

/** What turns show beside words: where an answer comes from, and widgets. */
export const SHOWN = {
  "shown-citations": row("TOOL-32", "What a data store tool found is cited after the answer, each passage once"),
  "shown-citations-nested": row("TOOL-32", "Passages that Python found through a tool are cited too"),
  "shown-citations-unused": row(
    "TOOL-32",
    "A turn that searched nothing cites nothing, whatever the turn before it found",
  ),
  "shown-grounding": row("TOOL-29", "A summary below the grounding level is left out, and the passages are given"),
  "shown-filter": row("TOOL-31", "A data store tool offers a filter where its setting says so"),
  "shown-suggestions": row("TOOL-33", "A web search returns its queries, and omits excluded domains"),
  "shown-widget": row("TOOL-15", "A widget is sent to the client, and the user's next input is its answer"),
  "shown-widget-text": row("TOOL-15", "A widget's fixed text is sent with it"),
  "shown-widget-written": row("TOOL-15", "A widget's text is written by the model, in a parameter of its own"),
  "shown-widget-mapping": row(
    "TOOL-16",
    "A widget shows fields of what an earlier tool answered, which the model cannot set",
  ),
  "shown-widget-script": row("TOOL-16, CB-19", "A widget shows what Python makes of an earlier tool's answer"),
  "shown-customized": row("PY-14", "A customized response of a callback is text in a conversation by text"),
} as const satisfies Readonly<Record<string, Requirement>>;
