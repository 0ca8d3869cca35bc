import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "vite";

const GENERATED = /\/protos\/gen\/google\/.*_pb\.js$/;

/** The descriptor of a file as protoc-gen-es writes it: one string in Base64. */
const DESCRIPTOR = /(?<=\bfileDesc\()"([A-Za-z0-9+/=]+)"/;

/** Files that only define those options, in the list of what a file imports. */
const OPTIONS =
  /\bfile_google_api_(?:annotations|client|routing),\s*|,\s*file_google_api_(?:annotations|client|routing)(?=\])/g;

/**
 * Leaves out of the descriptors what only servers and generators read: the options of files, services and methods, which hold the paths of REST,
 * and the files that define these options. What is left is written as bytes, which compress to two thirds of their Base64: there a name looks
 * different at each of three places. The Simulator loads every service of an app, and its first page has a budget.
 */
export function smallerDescriptors(): Plugin {
  return {
    name: "smaller-descriptors",
    transform: {
      filter: { id: GENERATED },
      handler: (code) => ({
        code: code.replace(DESCRIPTOR, (_, base64: string) => smaller(base64)).replace(OPTIONS, ""),
        map: null,
      }),
    },
  };
}

/** The expression of a descriptor in Base64. */
function smaller(base64: string): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(base64));
  removeOptions(file);
  return `btoa(${JSON.stringify(Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("latin1"))})`;
}

function removeOptions(file: FileDescriptorProto): void {
  file.options = undefined;
  for (const service of file.service) {
    service.options = undefined;
    for (const method of service.method) method.options = undefined;
  }
}
