/** How documents of some data stores are moved up or down (DataStoreTool.BoostSpecs). */
export interface BoostRule {
  /** Resource names of the data stores it is about. */
  readonly stores: readonly string[];
  /** Which documents, in the filter language; "" = all. */
  readonly condition: string;
  /** A fixed amount from -1 to 1, or one that follows a field. */
  readonly amount: number | BoostCurve;
}

/** An amount that follows a field of the document, straight between control points and level beyond the outermost. */
export interface BoostCurve {
  readonly kind: "numerical" | "freshness";
  readonly field: string;
  /** Ascending by `at`: the field's number, or its age in milliseconds. */
  readonly points: readonly { readonly at: number; readonly amount: number }[];
}
