import { type Compilable, type RawBuilder, sql } from "kysely";
import type { Statement } from "./engine.ts";

/** Stands in a query for a value that is given at each run. */
export type Parameter<Values> = <Key extends keyof Values & string>(key: Key) => RawBuilder<Values[Key]>;

/**
 * Compiles a query once and answers a function that only fills in its values: what a hot statement needs, since building
 * and compiling costs several times what running does (reference/wire.md 5).
 */
export function prepare<Values>(): <Row>(
  build: (parameter: Parameter<Values>) => Compilable<Row>,
) => (values: Values) => Statement<Row> {
  return (build) => {
    const compiled = build((key) => sql.val(new Slot(key)) as RawBuilder<never>).compile();
    const slots = compiled.parameters;
    return (values) => ({
      sql: compiled.sql,
      // A slot was made from a key of `Values` above.
      parameters: slots.map((slot) => (slot instanceof Slot ? values[slot.key as keyof Values] : slot)),
    });
  };
}

class Slot {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}
