import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { yamlValue } from "#base";
import { failedPrecondition } from "#status";

/** A day, `2026-12-31`. */
const DaySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day such as 2026-12-31");

const GateSchema = z
  .strictObject({
    name: z.string().min(1),
    /** Only cases with this tag. Default: all. */
    tag: z.string().min(1).optional(),
    /** Each case must pass this many times in a row: pass^k. */
    passAll: z.number().int().min(1).max(100).optional(),
    /** Seconds that a turn may take. */
    within: z.number().gt(0).optional(),
    /** The least share: of pass^k with `passAll` (default 1), of turns with `within` (default 1), else of all verdicts. */
    atLeast: z.number().min(0).max(1).optional(),
    /** A version or folder to compare with: no significant drop. */
    against: z.string().min(1).optional(),
    /** The error that the comparison may make. Default 0.05. */
    level: z.number().gt(0).lt(0.5).optional(),
  })
  .refine(({ passAll, atLeast, against, within }) => (passAll ?? atLeast ?? within ?? against) !== undefined, {
    message: "says nothing to check: give passAll, atLeast, within or against",
  })
  .refine(
    ({ against, passAll, atLeast, within }) => against === undefined || (passAll ?? atLeast ?? within) === undefined,
    {
      message: "against is a gate of its own: remove passAll, atLeast and within, or make two gates",
    },
  )
  .refine(({ passAll, within }) => passAll === undefined || within === undefined, {
    message: "passAll counts attempts and within turns: make two gates",
  });

const FileSchema = z.strictObject({
  /** What a run may use. */
  budget: z
    .strictObject({
      calls: z.number().int().min(1).optional(),
      tokens: z.number().int().min(1).optional(),
      dollars: z.number().gt(0).optional(),
      minutes: z.number().gt(0).optional(),
    })
    .optional(),
  gates: z.array(GateSchema).min(1),
  setAside: z
    .array(z.strictObject({ case: z.string().min(1), until: DaySchema, reason: z.string().min(1) }))
    .default([]),
});

/** One condition that a run must meet. */
export type Gate = z.infer<typeof GateSchema>;

/** The conditions of an app, and the cases that do not count until a day. */
export type GatesFile = z.infer<typeof FileSchema>;

/** Reads gates. FAILED_PRECONDITION with file, line and fix for text that is no gates file. */
export function readGates(text: string, file: string): GatesFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault) throw failedPrecondition(`${file}:${fault.linePos?.[0].line ?? 1}: ${fault.message}`);
  const found = yamlValue(document);
  if ("problem" in found) throw failedPrecondition(`${file}:${lines.linePos(found.offset).line}: ${found.problem}`);
  const parsed = FileSchema.safeParse(found.value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const node = document.getIn(path.slice(), true);
    const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
    return `${file}:${line}: ${path.join(".") || "(top)"} ${message}`;
  });
  throw failedPrecondition(faults.join("\n"));
}
