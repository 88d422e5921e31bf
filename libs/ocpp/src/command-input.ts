// Serializes a command's input for the record: masked and cut as frames are.
import { storedFrame, type StoredFrame } from './stored-frame';
import { createMasker } from './masking/mask';

/**
 * Creates a serializer of command inputs: JSON with masked secrets, cut at 16 KiB. `maskKeys`: the operator's own words for
 * secrets.
 */
export function createInputSerializer(maskKeys: readonly string[]): (input: object) => StoredFrame {
  const masker = createMasker(maskKeys);
  return (input) => storedFrame(masker.frame(JSON.stringify(input)));
}
