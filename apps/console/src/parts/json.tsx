import { CopyButton } from './copy';
import './json.css';

/** Formatted JSON with a button to copy it. */
export function Json({ value }: { readonly value: unknown }) {
  return <Code text={typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)} />;
}

/** A text with a button to copy it. Nothing of it is interpreted. */
export function Code({ text }: { readonly text: string }) {
  return (
    <div className="json">
      <pre tabIndex={0}>{visibleOf(text)}</pre>
      <CopyButton text={text} />
    </div>
  );
}

/** Makes controls visible that would reorder or hide what follows them. */
export function visibleOf(text: string): string {
  return text.replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
