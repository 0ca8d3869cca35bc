// Finds and declares types in a descriptor set.

/** The file of that name; a new, empty one when the set has none. */
export function declareFile({ es, wkt, set }, packageName, name) {
  if (!name) throw new Error(`overlay: a new type of ${packageName} names no file`);
  const known = set.file.find((file) => file.name === name);
  if (known) return known;
  const created = es.create(wkt.FileDescriptorProtoSchema, { name, package: packageName, syntax: "proto3" });
  set.file.push(created);
  return created;
}

export function findMessage(set, typeName) {
  return findType(set, typeName, "messageType", "nestedType");
}

export function findEnum(set, typeName) {
  return findType(set, typeName, "enumType", "enumType");
}

export function findService(set, typeName) {
  return findType(set, typeName, "service", "service");
}

/** A type by its full name; the list of a file and that of a message around it have different names. */
function findType(set, typeName, ofFile, ofMessage) {
  for (const file of set.file) {
    if (!typeName.startsWith(`${file.package}.`)) continue;
    const path = typeName.slice(file.package.length + 1).split(".");
    const last = path.pop();
    let scope = file;
    for (const part of path) {
      scope = (scope === file ? file.messageType : scope.nestedType).find(({ name }) => name === part);
      if (!scope) break;
    }
    const found = scope?.[scope === file ? ofFile : ofMessage]?.find(({ name }) => name === last);
    if (found) return found;
  }
  return undefined;
}

/**
 * All types of a set by full name. `resolve` looks a name up as protoc does, from the innermost scope outward, and makes the file of
 * `user` import the file of the type.
 */
export function typeIndex(set) {
  const known = new Map();
  const enter = (file, scope, message) => {
    const typeName = `${scope}.${message.name}`;
    known.set(typeName, { typeName, file, isEnum: false });
    for (const nested of message.nestedType) enter(file, typeName, nested);
    for (const { name } of message.enumType) known.set(`${typeName}.${name}`, enumOf(`${typeName}.${name}`, file));
  };
  for (const file of set.file) {
    const scope = `.${file.package}`;
    for (const message of file.messageType) enter(file, scope, message);
    for (const { name } of file.enumType) known.set(`${scope}.${name}`, enumOf(`${scope}.${name}`, file));
    for (const { name } of file.service) known.set(`${scope}.${name}`, { typeName: `${scope}.${name}`, file });
  }
  return { resolve: (scope, name, user) => importFrom(known, lookUp(known, scope, name), user) };
}

function enumOf(typeName, file) {
  return { typeName, file, isEnum: true };
}

function lookUp(known, scope, name) {
  for (let around = `.${scope}`; ; around = around.slice(0, around.lastIndexOf("."))) {
    const found = known.get(`${around}.${name}`);
    if (found) return found;
    if (around === "") throw new Error(`overlay: ${scope} names the type ${name}, which does not exist`);
  }
}

function importFrom(known, type, user) {
  const { file } = known.get(`.${user}`);
  if (file !== type.file && !file.dependency.includes(type.file.name)) file.dependency.push(type.file.name);
  return type;
}
