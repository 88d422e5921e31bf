// What is recorded of a command's input: as little of its secrets, and no more of its text, than of a frame.
import { storedFrame, type StoredFrame } from './stored-frame';
import { createMasker } from './mask';

/**
 * Makes the text that is recorded of a command's input: JSON with secrets masked as in frames, cut at 16 KiB. `maskKeys`: the
 * operator's own words.
 */
export function createInputSerializer(maskKeys: readonly string[]): (input: object) => StoredFrame {
  const masker = createMasker(maskKeys);
  return (input) => storedFrame(masker.frame(JSON.stringify(input)));
}
