import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { clone, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { JsonValue } from "#base";
import { type FieldViolation, invalidArgument } from "#status";

/** The default and the maximum (ListDeployments' comment; the other lists leave them open). */
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

interface PageSizeLimits {
  readonly defaultSize?: number;
  readonly maxSize?: number;
}

/** The page size to serve (AIP-158): zero means the default, too large the maximum, and negative is INVALID_ARGUMENT. */
export function pageSizeOf(
  requested: number,
  { defaultSize = DEFAULT_PAGE_SIZE, maxSize = MAX_PAGE_SIZE }: PageSizeLimits = {},
): number {
  if (requested < 0) throw invalidArgument({ field: "page_size", description: "The page size cannot be negative." });
  return requested === 0 ? defaultSize : Math.min(requested, maxSize);
}

/** A checksum of a list request without `page_size` and `page_token`: a page token is valid only for the same request (AIP-158). */
export function requestChecksum(desc: DescMessage, request: Message): string {
  const copy = reflect(desc, clone(desc, request));
  for (const field of desc.fields) if (field.name === "page_size" || field.name === "page_token") copy.clear(field);
  return digest(`${desc.typeName}\n`, toBinary(desc, copy.message));
}

/** An opaque token for the position after which the next page starts. */
export function encodePageToken(position: JsonValue, checksum: string): string {
  const body = JSON.stringify(position);
  return Buffer.from(`${digest(checksum, body)}${body}`).toString("base64url");
}

/** The forms of positions. */
interface Positions {
  readonly name: string;
  readonly number: number;
  /** By a field that is sorted by, then by name. */
  readonly sorted: readonly [string | number, string];
  /** By a time, then by name. */
  readonly timed: readonly [number, string];
}

/**
 * The position of a form in a page token; undefined for the empty token. A token that was altered, or that belongs to another request, is
 * INVALID_ARGUMENT. Its checksum is no secret: who makes one that fits gets no further than with any other position.
 */
export function decodePageToken<Form extends keyof Positions>(
  token: string,
  checksum: string,
  form: Form,
): Positions[Form] | undefined {
  if (token === "") return undefined;
  const text = Buffer.from(token, "base64url").toString();
  const body = text.slice(CHECKSUM_LENGTH);
  if (text.slice(0, CHECKSUM_LENGTH) !== digest(checksum, body)) throw invalidArgument(WRONG_TOKEN);
  const position = parsed(body);
  if (IS_OF[form](position)) return position as Positions[Form];
  throw invalidArgument(WRONG_TOKEN);
}

interface ScannedPage<Row, Position> {
  readonly rows: readonly Row[];
  readonly last?: unknown;
  /** Up to where was read, and how many rows. */
  readonly part?: { readonly last: Position; readonly scanned: number };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const isName = (value: unknown) => typeof value === "string";
const isPlace = (value: unknown) => Number.isFinite(value) && Math.abs(value as number) <= Number.MAX_SAFE_INTEGER;
const isPair = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length === 2 && isName(value[1]);

const IS_OF: Readonly<Record<keyof Positions, (value: unknown) => boolean>> = {
  name: isName,
  number: (value) => isPlace(value) && (value as number) >= 0,
  sorted: (value) => isPair(value) && (isName(value[0]) || isPlace(value[0])),
  timed: (value) => isPair(value) && isPlace(value[0]),
};

interface PageScan<Row, Item, Position> {
  readonly size: number;
  /** Position after which the page starts. */
  readonly after: Position | undefined;
  /** Reads rows after a position; `last` is set when more follow, and `part` when the store ended the page before it was full. */
  readonly read: (after: Position | undefined, limit: number) => Promise<ScannedPage<Row, Position>>;
  /** The item of a row; undefined: the row is not of the list. */
  readonly itemOf: (row: Row) => Item | undefined | Promise<Item | undefined>;
  readonly positionOf: (row: Row) => Position;
}

/** Rows that are read at once after the first read: of the first as many as the page has, which often suffice. */
const SCANNED_AT_ONCE = 200;
/**
 * Rows after which a page ends, whatever it has: a filter that few rows pass would else read a million of them for one answer, which no client waits for (DB-28).
 * They take less than a second.
 */
export const MOST_SCANNED = 10_000;

/**
 * A page of a list whose rows the store cannot test: reads on until the page is full, the rows end, or so many were read that the client shall ask again. `next` is the
 * position to continue from; absent at the end. Other work of the server runs between the reads.
 */
export async function scanPage<Row, Item, Position>({
  size,
  read,
  itemOf,
  positionOf,
  ...start
}: PageScan<Row, Item, Position>): Promise<{ readonly items: readonly Item[]; readonly next?: Position }> {
  const items: Item[] = [];
  let { after } = start;
  let scanned = 0;
  for (let limit = size; ; limit = Math.max(size, SCANNED_AT_ONCE)) {
    const { rows, last, part } = await read(after, limit);
    scanned += part?.scanned ?? rows.length;
    for (const [at, row] of rows.entries()) {
      const found = itemOf(row);
      const item = found instanceof Promise ? await found : found;
      if (item !== undefined) items.push(item);
      after = positionOf(row);
      const isLastRow = at === rows.length - 1 && last === undefined && part === undefined;
      if (items.length === size) return isLastRow ? { items } : { items, next: after };
    }
    if (part) after = part.last;
    else if (last === undefined) return { items };
    if (scanned >= MOST_SCANNED && after !== undefined) return { items, next: after };
    await setImmediate();
  }
}

const CHECKSUM_LENGTH = 16;

const WRONG_TOKEN: FieldViolation = {
  field: "page_token",
  description:
    "The page token does not belong to this request. Send next_page_token unchanged, with all other fields as they were, or leave it out to start again.",
};

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, CHECKSUM_LENGTH);
}
