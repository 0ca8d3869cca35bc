const TYPES: Readonly<Record<string, number>> = { i: 0x7f, p: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };

/**
 * Makes a function of the host one that the function table takes. `signature` is the compiler's: a letter for the result (`v`:
 * none), one for each parameter.
 */
export function typedFunction(signature: string, value: WebAssembly.ImportValue): WebAssembly.ImportValue {
  const [result = "v", ...parameters] = signature;
  const type = [0x60, ...vector(parameters.map(typeOf)), ...vector(result === "v" ? [] : [typeOf(result)])];
  const module = new WebAssembly.Module(
    new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[1, ...vector([1, ...type])],
      ...[2, ...vector([1, 1, 0x65, 1, 0x66, 0, 0])], // imports the function e.f
      ...[7, ...vector([1, 1, 0x66, 0, 0])], // exports it as f
    ]),
  );
  const wrapped = new WebAssembly.Instance(module, { e: { f: value } }).exports.f;
  if (!wrapped) throw new Error("the wrapper has no function");
  return wrapped;
}

function typeOf(letter: string): number {
  const type = TYPES[letter];
  if (type === undefined) throw new Error(`no function of the host has the type ${letter}`);
  return type;
}

const vector = (bytes: readonly number[]): number[] => [bytes.length, ...bytes];
