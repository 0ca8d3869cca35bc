import { clone, type DescMessage, equals, type MessageShape } from "@bufbuild/protobuf";

/** The message with output-only fields as computed: the same object when nothing differs, so that unchanged rows are not written. */
export function withDerived<D extends DescMessage>(
  desc: D,
  message: MessageShape<D>,
  fields: Partial<MessageShape<D>>,
): MessageShape<D> {
  const copy = Object.assign(clone(desc, message), fields);
  return equals(desc, copy, message) ? message : copy;
}
