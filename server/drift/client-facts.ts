import { type ClientSurface, valuesInComments } from "./client-surface.ts";

/** A client's declarations, one line for each method, parameter, field and value that comments name. */
export function clientFacts(surface: ClientSurface): readonly string[] {
  const { revision, methods, messages, standardParameters } = surface;
  return [
    ...methods.flatMap(({ id, httpMethod, path, body, response, query }) => [
      `${revision} method ${id}: ${httpMethod} ${path} ${body ?? ""} -> ${response}`,
      ...query.map(({ name, type }) => `${revision} parameter ${id}?${name}: ${type}`),
    ]),
    ...[...messages].flatMap(([message, fields]) => [
      `${revision} message ${message}`,
      ...fields.map(({ name, type }) => `${revision} field ${message}.${name}: ${type}`),
    ]),
    ...standardParameters.map(({ name }) => `${revision} standard parameter ${name}`),
    ...[...valuesInComments(surface)].map((value) => `${revision} value in comments ${value}`),
  ];
}
