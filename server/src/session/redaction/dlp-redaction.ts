import type { RedactionConfig } from "@frontdesk/protos/ces/app";
import { isAmongApps, isJsonObject, type JsonObject, type JsonValue, type Logger, nonEmptyFields } from "#base";
import { ConnectError } from "#status";
import type { GoogleService } from "../google/google-service.ts";
import { type Redaction, type Redactor, WITHHELD } from "./contract.ts";

interface DlpRedactionDeps {
  readonly service: GoogleService;
  /** Base URL instead of Google's, without a trailing slash. */
  readonly endpoint?: string;
  /** Projects whose templates apps may name. Default any. */
  readonly projects?: readonly string[];
  /** Apps that may use the service. Default all. */
  readonly apps?: readonly string[];
  /** Redaction for apps that name no template. */
  readonly fallback: Redaction;
  readonly logger: Logger;
}

/**
 * Redaction by Cloud DLP, with the templates that an app names: `content:deidentify`, many texts a call as the rows of a table.
 * With an inspect template alone, findings are replaced by their kind in brackets. A text that the service did not inspect (it
 * cannot be reached, rejects the call, or the text is too long) is withheld: the turn has been answered by then, so failing it would
 * not help, and the app forbids to store it unredacted.
 */
export function createDlpRedaction(deps: DlpRedactionDeps): Redaction {
  return {
    redactorFor(config, app) {
      const named = config && (config.inspectTemplate || config.deidentifyTemplate);
      return config && named ? dlpRedactor(deps, config, app) : deps.fallback.redactorFor(config, app);
    },
  };
}

function dlpRedactor(deps: DlpRedactionDeps, config: RedactionConfig, app: string): Redactor {
  return {
    async redact(texts) {
      const batches = batchesOf(texts);
      const redacted = await Promise.all(batches.map((batch) => redactBatch(deps, config, batch, app)));
      return redacted.flat();
    },
  };
}

/** The service accepts 0.5 MB per call; texts are counted in bytes, with a margin for JSON. */
const BATCH_BYTES = 400_000;
/** Cells of a table; the service accepts 50,000. */
const BATCH_TEXTS = 10_000;

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
    const last = batches.at(-1);
    if (last && bytes + size <= BATCH_BYTES && last.length < BATCH_TEXTS) {
      last.push(text);
      bytes += size;
    } else {
      batches.push([text]);
      bytes = size;
    }
  }
  return batches;
}

async function redactBatch(
  deps: DlpRedactionDeps,
  config: RedactionConfig,
  texts: readonly string[],
  app: string,
): Promise<readonly string[]> {
  try {
    if (!isAmongApps(app, deps.apps)) throw new NotInspected(`the app '${app}' may not use it (dlp.apps)`);
    if (texts.some((text) => Buffer.byteLength(text) > BATCH_BYTES))
      throw new NotInspected("a text is too long for it");
    const parent = parentOf(config, deps.projects);
    const address = deps.endpoint ?? "https://dlp.googleapis.com";
    const url = `${address}/v2/${parent}/content:deidentify`;
    // An aborted turn does not abort its record: the service's time-out ends the call.
    const answer = await deps.service.post(url, requestOf(config, texts), new AbortController().signal);
    return readTexts(answer, texts.length);
  } catch (error) {
    if (!(error instanceof NotInspected || error instanceof ConnectError)) throw error;
    deps.logger.error({ err: error, texts: texts.length }, "Cloud DLP did not redact; the texts are withheld");
    return texts.map(() => WITHHELD);
  }
}

/** Texts were not inspected, for a reason other than a failed call. */
class NotInspected extends Error {
  override readonly name = "NotInspected";
}

const TEMPLATE = /^(projects\/(\w[\w.:-]*)(?:\/locations\/[a-z0-9-]+)?)\/(?:inspect|deidentify)Templates\/[\w-]+$/;

/** The parent of the call: the location of the de-identify template, else of the inspect template. */
function parentOf({ deidentifyTemplate, inspectTemplate }: RedactionConfig, projects?: readonly string[]): string {
  for (const name of [deidentifyTemplate, inspectTemplate].filter(Boolean)) {
    const [, , project = ""] = TEMPLATE.exec(name) ?? [];
    if (project === "") throw new NotInspected(`'${name}' is not the name of a template`);
    if (projects && !projects.includes(project))
      throw new NotInspected(`templates of the project '${project}' may not be used (dlp.projects)`);
  }
  const [, parent = ""] = TEMPLATE.exec(deidentifyTemplate || inspectTemplate) ?? [];
  return parent;
}

function requestOf({ deidentifyTemplate, inspectTemplate }: RedactionConfig, texts: readonly string[]): JsonObject {
  return {
    ...nonEmptyFields({ inspectTemplateName: inspectTemplate }),
    ...(deidentifyTemplate
      ? { deidentifyTemplateName: deidentifyTemplate }
      : { deidentifyConfig: REPLACE_WITH_INFO_TYPE }),
    item: {
      table: {
        headers: [{ name: "text" }],
        rows: texts.map((stringValue) => ({ values: [{ stringValue }] })),
      },
    },
  };
}

const REPLACE_WITH_INFO_TYPE: JsonObject = {
  infoTypeTransformations: { transformations: [{ primitiveTransformation: { replaceWithInfoTypeConfig: {} } }] },
};

/** The redacted texts in order. Throws `NotInspected` when the response does not have one for each. */
function readTexts({ item }: JsonObject, count: number): readonly string[] {
  const rows = propertyOf(propertyOf(item, "table"), "rows");
  if (!Array.isArray(rows) || rows.length !== count)
    throw new NotInspected("the response has other rows than the request");
  return rows.map((row) => {
    const values = propertyOf(row, "values");
    const cell = Array.isArray(values) ? values[0] : undefined;
    if (!isJsonObject(cell)) throw new NotInspected("the response has a row without a value");
    // A cell that a transformation emptied has no value of any kind.
    return String(Object.values(cell)[0] ?? "");
  });
}

function propertyOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
