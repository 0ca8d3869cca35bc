/**
 * A provider package at the edge, of the shape that packages of the AI SDK have. Its options script it: `version`, and
 * `script`, what each call does in turn: `{ parts }`, `{ result }`, or `{ error }`, an `APICallError`'s fields.
 */
export function createFake({ version, script, apiKey }) {
  const turns = [...script];
  const take = (options) => {
    calls.push({ apiKey, options });
    const turn = turns.shift();
    if (turn.error) throw Object.assign(new Error(turn.error.message), turn.error);
    return turn;
  };
  const languageModel = (modelId) => ({
    specificationVersion: version,
    modelId,
    doStream: async (options) => ({ stream: ReadableStream.from(take(options).parts) }),
    doGenerate: async (options) => take(options).result,
  });
  // Packages make callable providers; newer ones name the method too.
  return version === "v2" ? languageModel : { languageModel };
}

/** What the models were called with. */
export const calls = [];

/** Makes something that is no provider. */
export const createNothing = () => ({});
