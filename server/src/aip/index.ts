/** Google's API Improvement Proposals as functions over descriptors and messages. No storage, no services. */
export {
  behaviorsOf,
  FieldBehavior,
  httpRuleOf,
  type ResourceReference,
  type ResourceType,
  referenceOf,
  resourceTypeOf,
} from "./annotations.ts";
export { etagOf } from "./etag.ts";
export {
  changedImmutable,
  isOutputOnly,
  missingRequired,
  type RequiredOptions,
  withoutInputOnly,
  withoutOutputOnly,
} from "./field-behavior.ts";
export { applyUpdate, fieldMaskViolations } from "./field-mask.ts";
export {
  compileFilter,
  compileNode,
  type FilterFunction,
  type FilterOptions,
  type Predicate,
  parseRequestFilter,
} from "./filtering/compile-filter.ts";
export { conjunction, conjuncts, isCallOf, isRestrictionOf, takeTerms } from "./filtering/conjuncts.ts";
export { parseFilter } from "./filtering/parser.ts";
export {
  type Comparator,
  FilterError,
  type FilterNode,
  type FunctionCall,
  type Literal,
  type Restriction,
} from "./filtering/syntax.ts";
export { classifyMethod, findResource, type MessageField, type StandardMethod } from "./method-type.ts";
export { type OrderKey, parseOrderBy } from "./ordering.ts";
export {
  DEFAULT_PAGE_SIZE,
  decodePageToken,
  encodePageToken,
  MAX_PAGE_SIZE,
  type PageSizeLimits,
  pageSizeOf,
  requestChecksum,
} from "./pagination.ts";
export { resourceIdViolations } from "./resource-id.ts";
export {
  collectionOf,
  formatName,
  hasPattern,
  hasWildcard,
  idOf,
  isSingleton,
  matchName,
  type NamePattern,
  type NameVariables,
  parentOf,
  parentPattern,
  parseNamePattern,
  WILDCARD,
} from "./resource-name.ts";
export { fieldPath, type VisitMessage, walkMessages } from "./walk-messages.ts";
