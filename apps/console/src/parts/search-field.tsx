import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 200;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly maxLength?: number;
}

/** Searches as the reader types, after a short pause. */
export function SearchField({ label, value, onChange, maxLength = 100 }: SearchFieldProps) {
  const [text, setText] = useState(value ?? '');
  const sent = useRef(value ?? '');
  // The address may change by itself: back, or cleared filters.
  useEffect(() => {
    if ((value ?? '') !== sent.current) setText(value ?? '');
    sent.current = value ?? '';
  }, [value]);
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = trimmed;
      onChange(trimmed === '' ? undefined : trimmed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <span className="search">
      <Search aria-hidden />
      <input
        className="control"
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
