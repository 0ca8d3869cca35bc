/**
 * What stands for an attachment that a model cannot read. A refusal would end the conversation for good, since history
 * carries the attachment into every later call.
 */
export function unsupportedBlobText(mimeType: string): string {
  return `[An attachment of type ${mimeType} is here, which this model cannot read.]`;
}
