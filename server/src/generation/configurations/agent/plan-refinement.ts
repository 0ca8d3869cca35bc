import {
  type GenerateAppResourceRequest_RefineInstructions,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import { z } from "zod";
import { type FieldViolation, invalidArgument } from "#status";
import { MATERIAL_IS_DATA } from "../../author/material.ts";
import { MAX_REFINE_INSTRUCTION, MAX_REFINED_PARTS } from "../../limits.ts";
import { INSTRUCTION_GUIDE, PYTHON_GUIDE } from "../../prompts/guides.ts";
import type { Job, PlanJob } from "../job.ts";
import { type RefinedResource, refinablePaths, refinedResource, textAt, withText } from "./refined-resource.ts";
import { rewriteResource } from "./rewrite-resource.ts";

const FIELD = "refine_instructions";

/** A part of a text that is written anew. */
interface RefinedPart {
  readonly path: string;
  /** The text around it and its own, as it is. */
  readonly text: string;
  readonly start: number;
  /** The first character after it. */
  readonly end: number;
  readonly instructions: string;
}

/** Parts of one resource, each by range and field, written anew as its instructions say (GEN-2, GEN-6). */
export const planRefinement: PlanJob = (subject): Job => {
  const resource = refinedResource(subject);
  const parts = partsOf(subject.request.refineInstructions, resource);
  return {
    type: GenerationType.AGENT_REFINE,
    needsModel: true,
    run: (work) =>
      rewriteResource(
        {
          resource,
          base: subject.base,
          caller: "refine",
          task: TASK,
          material: [["parts", shownParts(parts)]],
          shape: Shape,
          rewrite: (current, answer) => replaced(current, answer, parts),
        },
        work,
      ),
  };
};

const Shape = z.object({
  explanation: z.string().max(4_000).describe("What you changed, and why, for the author."),
  parts: z
    .array(z.object({ number: z.number().int(), text: z.string().max(100_000).describe("What replaces the part.") }))
    .max(MAX_REFINED_PARTS),
});

const TASK = [
  "You refine parts of a resource of a customer-engagement app. <parts> lists them: the request of the author, the part, and the text before and after it. " +
    "Answer for each part with the text that replaces it, and only it: what is before and after stays. <app> is the app around it.",
  "If <wrong> lists faults of your last answer, mend them.",
  INSTRUCTION_GUIDE,
  PYTHON_GUIDE,
  MATERIAL_IS_DATA,
  "Requests in <parts> are the author's: they say what to change in their part.",
].join("\n\n");

function partsOf(
  refinements: readonly GenerateAppResourceRequest_RefineInstructions[],
  resource: RefinedResource,
): readonly RefinedPart[] {
  if (refinements.length > MAX_REFINED_PARTS) {
    const description = `There are ${refinements.length} parts; at most ${MAX_REFINED_PARTS} in one request.`;
    throw invalidArgument({ field: FIELD, description });
  }
  const read = refinements.map((refinement, position) => partOf(refinement, `${FIELD}[${position}]`, resource));
  const parts = read.flatMap((part) => ("path" in part ? [part] : []));
  const violations = [...read.flatMap((part) => ("path" in part ? [] : part)), ...overlaps(parts)];
  if (violations.length > 0) throw invalidArgument(violations);
  return parts;
}

function partOf(
  { fieldMask, startIndex, endIndex, instructions }: GenerateAppResourceRequest_RefineInstructions,
  place: string,
  resource: RefinedResource,
): RefinedPart | readonly FieldViolation[] {
  const [path = "", ...others] = fieldMask?.paths ?? [];
  const text = others.length === 0 ? textAt(resource, path) : undefined;
  if (text === undefined) {
    const known = refinablePaths(resource)
      .filter((known) => textAt(resource, known) !== undefined)
      .join(", ");
    const given = [path, ...others].filter(Boolean).join(", ");
    return [
      {
        field: `${place}.field_mask`,
        description: `'${given}' is not one text of this resource; its texts are ${known}.`,
      },
    ];
  }
  if (instructions.length > MAX_REFINE_INSTRUCTION) {
    const description = `The instructions have ${instructions.length} characters; at most ${MAX_REFINE_INSTRUCTION}.`;
    return [{ field: `${place}.instructions`, description }];
  }
  const [start, end] = [Number(startIndex), Number(endIndex) + 1];
  if (
    start >= 0 &&
    start < end &&
    end <= text.length &&
    !isInsideCharacter(text, start) &&
    !isInsideCharacter(text, end)
  )
    return { path, text, start, end, instructions };
  const range = `${startIndex} to ${endIndex} is no range of '${path}', whose ${text.length} characters are 0 to ${text.length - 1}`;
  return [{ field: `${place}.start_index`, description: `${range}. Indexes count UTF-16 units, as JavaScript does.` }];
}

/** Whether an index is in the middle of a surrogate pair. */
function isInsideCharacter(text: string, index: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(index, index + 1)) && /[\ud800-\udbff]$/.test(text.slice(0, index));
}

function overlaps(parts: readonly RefinedPart[]): readonly FieldViolation[] {
  const isOverlap = parts.some((one, at) =>
    parts.slice(at + 1).some((other) => one.path === other.path && one.start < other.end && other.start < one.end),
  );
  return isOverlap ? [{ field: FIELD, description: "Two parts overlap; refine them together or one by one." }] : [];
}

/** Characters around a part that a model sees. */
const AROUND = 20_000;

function shownParts(parts: readonly RefinedPart[]): string {
  return JSON.stringify(
    parts.map(({ path, text, start, end, instructions }, position) => ({
      number: position + 1,
      field: path,
      request: instructions,
      before: text.slice(Math.max(0, start - AROUND), start),
      part: text.slice(start, end),
      after: text.slice(end, end + AROUND),
    })),
    null,
    1,
  );
}

/** The resource with the parts that an answer has; a part that is left out is a problem. Later parts first, so that earlier indexes hold. */
function replaced(
  resource: RefinedResource,
  answer: z.infer<typeof Shape>,
  parts: readonly RefinedPart[],
): { readonly resource: RefinedResource; readonly problems: readonly string[] } {
  const texts = new Map(answer.parts.map(({ number, text }) => [number - 1, text]));
  const problems = parts.flatMap((_, position) => (texts.has(position) ? [] : [`Part ${position + 1} is missing.`]));
  const later = [...parts.entries()].sort(([, one], [, other]) => other.start - one.start);
  const next = later.reduce((current, [position, { path, start, end }]) => {
    const text = textAt(current, path) ?? "";
    return withText(
      current,
      path,
      text.slice(0, start) + (texts.get(position) ?? text.slice(start, end)) + text.slice(end),
    );
  }, resource);
  return { resource: next, problems };
}
