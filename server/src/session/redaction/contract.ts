import type { RedactionConfig } from "@frontdesk/protos/ces/app";

/** Removes personal data from texts. */
export interface Redactor {
  /**
   * Returns the texts in order, with each finding replaced by its kind in brackets (`[EMAIL_ADDRESS]`). A text that could not be
   * inspected (the service cannot be reached) becomes `[WITHHELD]`, never the original.
   */
  redact(texts: readonly string[]): Promise<readonly string[]>;
}

/** Replaces a text that could not be inspected. */
export const WITHHELD = "[WITHHELD]";

/** The source of redactors: the built-in detectors, or a service that knows the templates an app names. */
export interface Redaction {
  /** The redactor for an app (its resource name) with these settings; without settings, the redactor of an app that only enables redaction. */
  redactorFor(config: RedactionConfig | undefined, app: string): Redactor;
}

/** Detects one kind of data. */
export interface Detector {
  /** The kind that replaces a finding, in brackets. The built-in ones have the names of Cloud DLP. */
  readonly infoType: string;
  /** Findings as [start, end) in UTF-16 units, in order, not overlapping. Takes time linear in the text. */
  find(text: string): readonly Finding[];
}

/** Start and end of a finding. */
export type Finding = readonly [start: number, end: number];
