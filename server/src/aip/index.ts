/** Google's API Improvement Proposals as functions over descriptors and messages. No storage, no services. */
export {
  behaviorsOf,
  FieldBehavior,
  httpRuleOf,
  type ResourceType,
  referenceOf,
  resourceTypeOf,
} from "./annotations.ts";
export { isOnCalendar } from "./calendar.ts";
export { hasMoreValues, MAX_VALUES } from "./count-values.ts";
export { deepCopy } from "./deep-copy.ts";
export { etagOf } from "./etag.ts";
export {
  changedImmutable,
  isOutputOnly,
  shallowCopy,
  withoutInputOnly,
  withoutOutputOnly,
} from "./field-behavior.ts";
export { applyUpdate } from "./field-mask.ts";
export { fieldValue } from "./field-value.ts";
export {
  compileFilter,
  compileNode,
  type Predicate,
  parseRequestFilter,
} from "./filtering/compile-filter.ts";
export type {
  FilterNode,
  FunctionCall,
  Literal,
  Restriction,
} from "./filtering/syntax.ts";
export { isRestrictionOf, partitionTerms } from "./filtering/terms.ts";
export { invalidValues, withoutInvalidValues } from "./invalid-values.ts";
export { keepUnknownFields } from "./keep-unknown-fields.ts";
export { readLargeMessage, writeLargeMessage } from "./large-messages.ts";
export { classifyMethod, type MessageField, type StandardMethod } from "./method-type.ts";
export { missingRequired, type RequiredCheck } from "./missing-required.ts";
export { type OrderKey, parseOrderBy } from "./ordering.ts";
export {
  decodePageToken,
  encodePageToken,
  MOST_SCANNED,
  pageSizeOf,
  requestChecksum,
  scanPage,
} from "./pagination.ts";
export { isFieldMask, maskFieldsOf, readMessage } from "./read-message.ts";
export {
  collectionOf,
  formatName,
  hasPattern,
  hasWildcard,
  idOf,
  isSingleton,
  locationOf,
  matchName,
  type NamePattern,
  parentOf,
  parentPattern,
  parseNamePattern,
  resourceIdViolations,
  WILDCARD,
} from "./resource-name.ts";
export { resourceNameIn } from "./resource-name-in.ts";
export { typeFault } from "./schema-type.ts";
export { snakeCase } from "./snake-case.ts";
export { setUnknownFields, type UnknownField, unknownFieldsOf, unknownTypeOf } from "./unknown-fields.ts";
export { fieldPath, leadsTo, typesBelow, walkMessages } from "./walk-messages.ts";
