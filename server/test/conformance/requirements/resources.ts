import type { Requirement } from "./requirement.ts";

/** Standard methods on configuration resources. */
export const RESOURCES = {
  "create-made-id": { sentence: "Create without an id makes one", source: "AIP-133" },
  "create-given-id": {
    sentence: "Create with an id uses it, and fails the second time with ALREADY_EXISTS",
    source: "AIP-133",
  },
  "create-bad-id": {
    sentence: "Create with an id of the wrong form is INVALID_ARGUMENT naming the id field",
    source: "AIP-122",
  },
  "create-missing-parent": { sentence: "Create under a parent that does not exist is NOT_FOUND", source: "AIP-133" },
  "required-fields": { sentence: "Every missing REQUIRED field is reported at once", source: "AIP-203, AIP-193" },
  "get-missing": {
    sentence: "Get of what does not exist is NOT_FOUND with the resource's name in ResourceInfo",
    source: "AIP-131",
  },
  "list-pages": { sentence: "List pages through everything once, and the last page has no token", source: "AIP-158" },
  "list-token-bound": { sentence: "A page token of another request is INVALID_ARGUMENT", source: "AIP-158" },
  "list-filter": { sentence: "List filters by a field of the resource", source: "AIP-160" },
  "list-bad-filter": {
    sentence: "A filter that cannot be read is INVALID_ARGUMENT with its position",
    source: "AIP-160",
  },
  "list-order": { sentence: "List orders by name, descending when asked", source: "AIP-132" },
  "update-mask": { sentence: "Update changes only the fields named in update_mask", source: "AIP-134" },
  "update-no-mask": { sentence: "Update without a mask changes the populated fields", source: "AIP-134" },
  "update-star": { sentence: "Update with the mask * replaces the resource", source: "AIP-134" },
  "update-bad-mask": {
    sentence: "An update_mask with unknown paths is INVALID_ARGUMENT naming each",
    source: "AIP-134",
  },
  "update-stale-etag": { sentence: "Update with a stale etag is ABORTED and changes nothing", source: "AIP-154" },
  "output-only-ignored": { sentence: "Output-only fields of a request are ignored", source: "AIP-203" },
  "delete-referenced": {
    sentence: "Delete of a referenced resource is FAILED_PRECONDITION naming the referrer",
    source: "agent_service.proto: force",
  },
  "delete-force": { sentence: "Delete with force removes the references too", source: "agent_service.proto: force" },
  "dangling-reference": {
    sentence: "A reference to what does not exist is INVALID_ARGUMENT naming the field",
    source: "AIP-213",
  },
  "create-app-operation": { sentence: "CreateApp answers an operation whose response is the app", source: "AIP-151" },
  "operation-missing": { sentence: "GetOperation of an unknown operation is NOT_FOUND", source: "AIP-151" },
} as const satisfies Readonly<Record<string, Requirement>>;
