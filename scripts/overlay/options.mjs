// Annotations of an overlay as options: google.api.http, field_behavior, resource, method_signature, operation_info.

/** Writes options with the extensions that the set itself defines. */
export function optionsWriter(es, wkt, set) {
  const registry = es.createFileRegistry(set);
  const extension = (name) => {
    const found = registry.getExtension(name);
    if (!found) throw new Error(`overlay: the definitions have no option ${name}`);
    return found;
  };
  const put = (options, name, value) => {
    const { message } = extension(name);
    es.setExtension(options, extension(name), message ? es.fromJson(message, value) : value);
  };
  return {
    message: (resource) => {
      const options = es.create(wkt.MessageOptionsSchema);
      put(options, "google.api.resource", resource);
      return options;
    },
    field: (annotations) => fieldOptions(es, wkt, extension, put, annotations),
    service: (host) => {
      const options = es.create(wkt.ServiceOptionsSchema);
      if (host) put(options, "google.api.default_host", host);
      return options;
    },
    method: (annotations) => methodOptions(es, wkt, put, annotations),
  };
}

/** `REQUIRED`, `OUTPUT_ONLY` and so on; `type=…` and `child=…`: the resource that the field names; `deprecated`. */
function fieldOptions(es, wkt, extension, put, annotations) {
  const options = es.create(wkt.FieldOptionsSchema);
  const behaviors = [];
  for (const annotation of annotations) {
    const [key, value] = annotation.split("=");
    if (value) put(options, "google.api.resource_reference", { [key === "child" ? "childType" : "type"]: value });
    else if (key === "deprecated") options.deprecated = true;
    else behaviors.push(behaviorOf(extension("google.api.field_behavior"), key));
  }
  if (behaviors.length > 0) put(options, "google.api.field_behavior", behaviors);
  return options;
}

function behaviorOf({ enum: behaviors }, name) {
  const value = behaviors.values.find((known) => known.name === name);
  if (!value) throw new Error(`overlay: there is no field behavior ${name}`);
  return value.number;
}

function methodOptions(es, wkt, put, { http = [], body, signatures = [], operation }) {
  const options = es.create(wkt.MethodOptionsSchema);
  const [rule, ...others] = http.map((line) => httpRule(line, body));
  if (rule) put(options, "google.api.http", { ...rule, additionalBindings: others });
  if (signatures.length > 0) put(options, "google.api.method_signature", signatures);
  if (operation)
    put(options, "google.longrunning.operation_info", {
      responseType: operation.response,
      metadataType: operation.metadata,
    });
  return options;
}

/** `POST /v1/{name=projects/*}:run`; POST and PATCH have the whole request as their body unless `body` names a field. */
function httpRule(line, body) {
  const [verb, path] = line.split(" ");
  const hasBody = verb === "POST" || verb === "PATCH";
  return { [verb.toLowerCase()]: path, ...(hasBody && { body: body ?? "*" }) };
}
