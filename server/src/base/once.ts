/** A function that makes a value when it is first called, and returns the same one from then on. What throws is tried again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
