import type { RedactionConfig } from "@frontdesk/protos/ces/app";

/** Takes what identifies people out of texts. */
export interface Redactor {
  /**
   * The texts with each finding replaced by its kind in brackets (`[EMAIL_ADDRESS]`), in order and as many as were given. A text that
   * cannot be judged (a service that is out of reach) is answered as `[WITHHELD]`, never as it was.
   */
  redact(texts: readonly string[]): Promise<readonly string[]>;
}

/** Where redactors come from: the built-in detectors, or a service that knows the templates an app names. */
export interface Redaction {
  /** The redactor for an app's settings; without settings, the one that an app gets that only switches redaction on. */
  redactorFor(config: RedactionConfig | undefined): Redactor;
}

/** Finds one kind of data. */
export interface Detector {
  /** What stands in brackets in its place; the built-in ones are named as Cloud DLP names them. */
  readonly infoType: string;
  /** Findings as [start, end) in UTF-16 units, in order and apart. Takes time linear in the text. */
  find(text: string): readonly Finding[];
}

/** Start and end of a finding. */
export type Finding = readonly [start: number, end: number];
