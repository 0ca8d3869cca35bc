/** What every room may use: time, ids, logs, JSON, streams, outbound HTTP. Knows nothing of agents or Google. */
export { appOfName, isAmongApps } from "./app-patterns.ts";
export { AsyncQueue } from "./async-queue.ts";
export { ANONYMOUS, authorOf, type Caller, type CallerKind, IN_PROCESS, OPERATOR, type Peer } from "./caller.ts";
export { type Clock, LONGEST_TIMER_MS, systemClock } from "./clock.ts";
export { hasMoreJsonValues } from "./count-json-values.ts";
export { csvLine } from "./csv-line.ts";
export { decodeText } from "./decode-text.ts";
export { definedFields, nonEmptyFields } from "./defined-fields.ts";
export type { OriginList } from "./egress/allowed-origins.ts";
export { hasDotSegment } from "./egress/check-request.ts";
export { CLOUD_STORAGE_URL, cloudStorageUrl } from "./egress/cloud-storage-url.ts";
export type { Egress, EgressRequest, EgressResponse, EgressStream } from "./egress/contract.ts";
export type { ConnectTarget, EgressTls } from "./egress/dispatchers.ts";
export { createEgress } from "./egress/egress.ts";
export { EgressError } from "./egress/egress-error.ts";
export { withheld } from "./egress/withheld.ts";
export { createExpressionParser, type Expression, ExpressionError, parseExpression } from "./expression.ts";
export { fileSafeName } from "./file-safe-name.ts";
export { type Ids, systemIds } from "./ids.ts";
export { ifThere } from "./if-there.ts";
export { inParallel } from "./in-parallel.ts";
export { createJobThread } from "./job-thread.ts";
export {
  hasSpelling,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  keepSpelling,
  mergeJson,
  parseJson,
  pickJson,
  sortedJson,
  spelledNumber,
  textOrJson,
  writeJson,
} from "./json.ts";
export { languageRoot } from "./language-root.ts";
export { localAddress } from "./local-address.ts";
export { createLogger, type LogFormat, type Logger } from "./logger.ts";
export { collapseUnderscores, matchingNames, nameMatcher } from "./name-spelling.ts";
export { nearestName } from "./nearest-name.ts";
export type { ObjectStorage } from "./object-storage.ts";
export { once } from "./once.ts";
export { oneAtATime } from "./one-at-a-time.ts";
export { readOperatorFile, writeOperatorFile } from "./operator-file.ts";
export { listOrEmpty, objectOrEmpty, objectsIn, textOrEmpty, textsIn } from "./or-empty.ts";
export { parsePort } from "./port.ts";
export { queryOptionFault } from "./query-options.ts";
export { countOccurrences, nextOccurrence, type Recurrence } from "./schedules/occurrences.ts";
export { createSealer, isSealed, resealed, SEALING_KEY_LENGTH, SealError, type Sealer } from "./sealer.ts";
export { Semaphore } from "./semaphore.ts";
export { shareOfHeap } from "./share-of-heap.ts";
export { shortestFloat } from "./shortest-float.ts";
export { steadyClock } from "./steady-clock.ts";
export { deferStream } from "./streams/defer-stream.ts";
export { flatMapStream, mapStream } from "./streams/map-stream.ts";
export { type StreamEnd, watchStream } from "./streams/watch-stream.ts";
export { subscriberNetwork } from "./subscriber-network.ts";
export { thrownMessage } from "./thrown-message.ts";
export { isTimeZone, knownTimeZone, zoneDateFormat } from "./time-zone.ts";
export { unreachable } from "./unreachable.ts";
export { wordsOf } from "./words.ts";
export { yamlValue } from "./yaml-value.ts";
export { createPauses, mapWithPauses, yieldToEventLoop } from "./yield-to-event-loop.ts";
