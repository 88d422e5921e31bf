// The text of a tag, which may have 255 characters.
import './tag-text.css';

/** More than readers of cards send: the number of a card has 8 to 20. */
const MAX_IN_A_LINE = 24;

/** A short one stays in one line. A longer one breaks, so that a table keeps room for its other columns. */
export function TagText({ tag }: { readonly tag: string }) {
  return <code className={tag.length > MAX_IN_A_LINE ? 'long-tag' : undefined}>{tag}</code>;
}
