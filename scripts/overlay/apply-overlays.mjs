// Adds what protos/overlay/*.json declares to the descriptor set of the published definitions: messages, fields, enums, services and methods.
import { addField } from "./fields.mjs";
import { optionsWriter } from "./options.mjs";
import { declareFile, findEnum, findMessage, findService, typeIndex } from "./types.mjs";

/** @param {object} es `@bufbuild/protobuf` @param {object} wkt its well-known types @param {object} set a FileDescriptorSet, changed @param {object[]} overlays parsed files */
export function applyOverlays(es, wkt, set, overlays) {
  const parts = overlays.flatMap(({ parts }) => parts.flatMap(perRevision));
  const context = { es, wkt, set, options: optionsWriter(es, wkt, set) };
  for (const part of parts) declareTypes(context, part);
  const types = typeIndex(set);
  for (const part of parts) addMembers({ ...context, types }, part);
}

/** One part for each revision, with `{revision}` replaced. */
function perRevision({ revisions = ["v1", "v1beta"], ...part }) {
  return revisions.map((revision) => JSON.parse(JSON.stringify(part).replaceAll("{revision}", revision)));
}

/** New messages, enums and services, still without members, so that members may name all of them. */
function declareTypes(context, { package: name, messages = [], enums = [], services = [], ...part }) {
  const { es, wkt, set, options } = context;
  const homeOf = (entry) => declareFile(context, name, entry.file ?? part.file);
  for (const { message, isNew, resource, ...entry } of messages) {
    const typeName = `${name}.${message}`;
    if (!isNew || findMessage(set, typeName)) continue;
    const created = es.create(wkt.DescriptorProtoSchema, { name: message.split(".").at(-1) });
    if (resource) created.options = options.message(resource);
    scopeOf(set, typeName, "nestedType", () => homeOf(entry).messageType).push(created);
  }
  for (const { enum: path, values, ...entry } of enums) {
    const typeName = `${name}.${path}`;
    const known = findEnum(set, typeName);
    const created = known ?? es.create(wkt.EnumDescriptorProtoSchema, { name: path.split(".").at(-1) });
    for (const value of values) addValue(context, created, value);
    if (!known) scopeOf(set, typeName, "enumType", () => homeOf(entry).enumType).push(created);
  }
  for (const { service, isNew, host, ...entry } of services) {
    if (!isNew || findService(set, `${name}.${service}`)) continue;
    homeOf(entry).service.push(
      es.create(wkt.ServiceDescriptorProtoSchema, { name: service, options: options.service(host) }),
    );
  }
}

/** `WORKING = 2`. A value is skipped when the definitions have it by now. */
function addValue({ es, wkt }, target, declaration) {
  const [name, number] = declaration.split(" = ");
  if (target.value.some((present) => present.name === name)) return;
  target.value.push(es.create(wkt.EnumValueDescriptorProtoSchema, { name, number: Number(number) }));
}

/** The list that a type belongs in: the nested ones of the message around it, or those of a file. */
function scopeOf(set, typeName, nested, listOfFile) {
  const around = findMessage(set, typeName.slice(0, typeName.lastIndexOf(".")));
  return around ? around[nested] : listOfFile();
}

function addMembers(context, { package: name, messages = [], services = [] }) {
  for (const { message, fields } of messages) {
    const target = findMessage(context.set, `${name}.${message}`);
    if (!target) throw new Error(`overlay: the definitions have no message ${name}.${message}; is it new?`);
    for (const field of fields) addField(context, `${name}.${message}`, target, field);
  }
  for (const { service, methods } of services) {
    const target = findService(context.set, `${name}.${service}`);
    if (!target) throw new Error(`overlay: the definitions have no service ${name}.${service}; is it new?`);
    for (const method of methods) addMethod(context, `${name}.${service}`, target, method);
  }
}

/** A method is skipped when the definitions have it by now. */
function addMethod(
  { es, wkt, types, options },
  serviceName,
  service,
  { method, input, output, streams, ...annotations },
) {
  if (service.method.some(({ name }) => name === method)) return;
  const typeOf = (name) => types.resolve(serviceName, name, serviceName).typeName;
  service.method.push(
    es.create(wkt.MethodDescriptorProtoSchema, {
      name: method,
      inputType: typeOf(input),
      outputType: typeOf(output),
      clientStreaming: streams === "both",
      serverStreaming: streams !== undefined,
      options: options.method(annotations),
    }),
  );
}
