// Fields of an overlay, written as in a .proto file: `repeated Part parts = 4 [REQUIRED]`.

/** The number of each scalar type in FieldDescriptorProto.Type. */
const SCALARS = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
};
const MESSAGE = 11;
const ENUM = 14;
const OPTIONAL = 1;
const REPEATED = 3;

const FIELD = /^(?:(optional|repeated) )?(map<(\w+), ([\w.]+)>|[\w.]+) (\w+) = (\d+)(?: \[(.+)\])?$/;

/** Adds a field, or the fields of `{ oneof, fields }`. A field is skipped when the definitions have it by now. */
export function addField(context, messageName, message, declaration) {
  if (typeof declaration !== "string") {
    const { oneof, fields } = declaration;
    for (const field of fields) addOne(context, messageName, message, field, oneof);
    return;
  }
  addOne(context, messageName, message, declaration);
}

function addOne(context, messageName, message, declaration, oneof) {
  const { es, wkt, options } = context;
  const [, label, type, key, value, name, number, annotations] = FIELD.exec(declaration) ?? [];
  if (!name) throw new Error(`overlay: '${declaration}' of ${messageName} is not a field`);
  if (message.field.some((present) => present.name === name)) return;
  const field = es.create(wkt.FieldDescriptorProtoSchema, {
    name,
    jsonName: jsonNameOf(name),
    number: Number(number),
    label: label === "repeated" || key ? REPEATED : OPTIONAL,
    ...(key ? mapType(context, messageName, message, name, key, value) : typeOf(context, messageName, type)),
  });
  if (annotations) field.options = options.field(annotations.split(", "));
  if (oneof) field.oneofIndex = oneofIndex(context, message, oneof);
  if (label === "optional") {
    field.proto3Optional = true;
    message.oneofDecl.push(es.create(wkt.OneofDescriptorProtoSchema, { name: `_${name}` }));
    field.oneofIndex = message.oneofDecl.length - 1;
  }
  insert(context.set, message, field);
}

/** Fields of a choice are neighbours, so a new one follows them; all others come last. Comments keep their fields. */
function insert(set, message, field) {
  const choiceOf = (one) => (Object.hasOwn(one, "oneofIndex") ? one.oneofIndex : undefined);
  const isNeighbour = (present) => choiceOf(present) !== undefined && choiceOf(present) === choiceOf(field);
  const index = message.field.findLastIndex(isNeighbour) + 1 || message.field.length;
  if (index < message.field.length) moveComments(set, message, index);
  message.field.splice(index, 0, field);
}

/** The number of `field` in DescriptorProto, as paths of comments name it. */
const FIELD_OF_MESSAGE = 2;

function moveComments(set, message, from) {
  for (const { sourceCodeInfo, messageType } of set.file) {
    const path = pathTo(message, messageType, 4);
    if (!path) continue;
    for (const location of sourceCodeInfo?.location ?? []) {
      const isBelow = path.every((step, index) => location.path[index] === step);
      if (!isBelow || location.path[path.length] !== FIELD_OF_MESSAGE) continue;
      if (location.path[path.length + 1] >= from) location.path[path.length + 1] += 1;
    }
  }
}

/** Where a message is in its file: field numbers and indexes in turn; `list` is the number of the list to begin with. */
function pathTo(message, messages, list) {
  for (const [index, candidate] of messages.entries()) {
    if (candidate === message) return [list, index];
    const below = pathTo(message, candidate.nestedType, 3);
    if (below) return [list, index, ...below];
  }
  return undefined;
}

function typeOf({ types }, messageName, name) {
  if (SCALARS[name]) return { type: SCALARS[name] };
  const { typeName, isEnum } = types.resolve(messageName, name, messageName);
  return { type: isEnum ? ENUM : MESSAGE, typeName };
}

/** A map is a repeated message of key and value. */
function mapType(context, messageName, message, name, key, value) {
  const { es, wkt } = context;
  const entry = `${name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}Entry`;
  message.nestedType.push(
    es.create(wkt.DescriptorProtoSchema, {
      name: entry,
      field: [
        { name: "key", jsonName: "key", number: 1, label: OPTIONAL, type: SCALARS[key] },
        { name: "value", jsonName: "value", number: 2, label: OPTIONAL, ...typeOf(context, messageName, value) },
      ],
      options: { mapEntry: true },
    }),
  );
  return { type: MESSAGE, typeName: `.${messageName}.${entry}` };
}

/** The index of a choice, which is made when the message has none of that name. Choices precede those that `optional` makes. */
function oneofIndex({ es, wkt }, message, name) {
  const known = message.oneofDecl.findIndex((oneof) => oneof.name === name);
  if (known >= 0) return known;
  const made = message.field.filter((field) => field.proto3Optional).map((field) => field.oneofIndex);
  const index = Math.min(message.oneofDecl.length, ...made);
  for (const field of message.field) if (field.proto3Optional) field.oneofIndex += 1;
  message.oneofDecl.splice(index, 0, es.create(wkt.OneofDescriptorProtoSchema, { name }));
  return index;
}

function jsonNameOf(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
