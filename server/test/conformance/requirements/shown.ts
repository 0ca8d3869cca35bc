import { type Requirement, row } from "./requirement.ts";

/** What turns show beside words: where an answer comes from, and widgets. */
export const SHOWN = {
  "shown-citations": row("4.5, 7.3", "What a data store tool found is cited after the answer, each passage once"),
  "shown-citations-nested": row("4.5", "Passages that Python found through a tool are cited too"),
  "shown-citations-unused": row("4.5", "A turn that searched nothing cites nothing, whatever the turn before it found"),
  "shown-grounding": row("4.5", "A summary below the grounding level is left out, and the passages are given"),
  "shown-filter": row("4.5", "A data store tool offers a filter where its setting says so"),
  "shown-suggestions": row("4.6", "A web search brings its queries along, and leaves excluded domains out"),
  "shown-widget": row("4.9", "A widget is handed to the client, and what the user says next is its answer"),
  "shown-widget-text": row("4.9", "A widget's fixed text is said with it"),
  "shown-widget-written": row("4.9", "A widget's text is written by the model, in a parameter of its own"),
  "shown-widget-mapping": row(
    "4.9",
    "A widget shows fields of what an earlier tool answered, which the model cannot set",
  ),
  "shown-widget-script": row("1.9, 4.9", "A widget shows what Python makes of an earlier tool's answer"),
  "shown-customized": row("1.3", "A customized response of a callback is text in a conversation by text"),
} as const satisfies Readonly<Record<string, Requirement>>;
